rove code query "A basket of nothing costs too much: total is wrong" --budget 700
