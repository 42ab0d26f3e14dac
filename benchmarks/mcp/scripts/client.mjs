// The official TypeScript client: `node ts_client.mjs legacy|auto COMMAND...` or a URL and a token.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [, , mode, place, ...others] = process.argv;
const transport = place.startsWith('http')
  ? new StreamableHTTPClientTransport(new URL(place), { requestInit: { headers: { authorization: `Bearer ${others[0]}` } } })
  : new StdioClientTransport({ command: place, args: others, env: process.env });
const client = new Client({ name: 'typescript', version: '1' }, { versionNegotiation: { mode } });
await client.connect(transport);
const tools = (await client.listTools()).tools.map(tool => tool.name);
const shown = await client.callTool({ name: 'show', arguments: { ticket: 'TB-123' } });
const read = await client.readResource({ uri: 'rove://context/TB-123' });
console.log(JSON.stringify({ tools, shown: shown.content[0].text, read: read.contents[0].text }));
await client.close();
process.exit(0);
