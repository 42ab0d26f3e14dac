// Passes requests on with a token, for programs that cannot show one: `node with_token.mjs TARGET`.
import http from 'node:http';

const target = process.argv[2];
const token = process.env.TOKEN;
const proxy = http.createServer((request, response) => {
  const own = String(proxy.address().port);
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  for (const name of ['host', 'origin']) {
    if (headers[name]?.match(/^(http:\/\/)?(localhost|127\.0\.0\.1):/)) headers[name] = headers[name].replace(own, target);
  }
  const { method, url: path } = request;
  const asked = http.request({ host: '127.0.0.1', port: target, method, path, headers }, answer => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', () => response.destroy());
  response.on('close', () => asked.destroy());
  request.pipe(asked);
});
proxy.listen(0, '127.0.0.1', () => console.log(proxy.address().port));
