echo 'eval "$(rove completion bash)"' >> ~/.bashrc
