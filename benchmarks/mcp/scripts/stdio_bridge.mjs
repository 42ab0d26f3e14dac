// Lets a suite that speaks HTTP test a server on standard streams: `node stdio_bridge.mjs COMMAND...`.
// Each session has a process of its own; requests without a session share one.
import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import http from 'node:http';
import readline from 'node:readline';

const [program, ...words] = process.argv.slice(2);
const servers = new Map();

function started() {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] });
  const server = { child, asked: undefined };
  readline.createInterface({ input: child.stdout }).on('line', line => {
    const message = JSON.parse(line);
    server.asked?.write(`event: message\ndata: ${line}\n\n`);
    if (server.asked?.number === message.id && message.method === undefined) {
      server.asked.end();
      server.asked = undefined;
    }
  });
  return server;
}

function server_of(session) {
  if (!servers.has(session)) servers.set(session, started());
  return servers.get(session);
}

const bridge = http.createServer((request, response) => {
  let body = '';
  request.on('data', piece => (body += piece));
  request.on('end', () => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(body);
    let session = request.headers['mcp-session-id'] ?? '';
    if (message.method === 'initialize') session = randomUUID();
    const server = server_of(session);
    if (message.id === undefined || message.method === undefined) response.writeHead(202).end();
    else {
      const headers = { 'content-type': 'text/event-stream' };
      if (session) headers['mcp-session-id'] = session;
      response.writeHead(200, headers);
      server.asked = response;
      response.number = message.id;
    }
    server.child.stdin.write(`${JSON.stringify(message)}\n`);
  });
});
process.on('exit', () => servers.forEach(({ child }) => child.kill()));
process.on('SIGTERM', () => process.exit());
bridge.listen(0, '127.0.0.1', () => console.log(bridge.address().port));
