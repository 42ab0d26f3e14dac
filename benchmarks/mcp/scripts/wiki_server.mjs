// A wiki on the official TypeScript SDK: `node wiki_server.mjs stdio|PORT serve|stateless|reject`.
import { createServer } from 'node:http';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { z } from 'zod';

const [, , place, legacy] = process.argv;
const page = { id: 'P-1', title: 'Tokens', text: 'Tokens last a day.', url: 'http://127.0.0.1/P-1' };
const json = value => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
const reads = { annotations: { readOnlyHint: true } };

function wiki() {
  const server = new McpServer({ name: 'typescript-wiki', version: '1' });
  server.registerTool('search', { ...reads, inputSchema: z.object({ query: z.string() }) },
    async ({ query }) => json({ results: page.text.toLowerCase().includes(query.toLowerCase()) ? [page] : [] }));
  server.registerTool('fetch', { ...reads, inputSchema: z.object({ id: z.string() }) },
    async () => json(page));
  return server;
}

if (place === 'stdio') serveStdio(wiki, { legacy });
else {
  const listener = createServer(toNodeHandler(createMcpHandler(wiki, { legacy })));
  listener.listen(Number(place), '127.0.0.1', () => console.log(listener.address().port));
}
