import {KernelError} from '@gemini-kernel/kernel';
import type {Session} from '@gemini-kernel/kernel/host';
import type {Server, ServerContext} from '#sdk';
import type {ResourceSource, ServedResource} from '../contract.js';
import {listFiles, readFileResource} from './files.js';
import type {Sources} from './sources.js';
import type {Use} from './use.js';

/** Serves the files of the workspace, and the resources of all sources. */
export function addResources(server: Server, use: Use, sources: Sources): void {
  server.setRequestHandler('resources/list', (_, context) =>
    use(context, async (session) => {
      const listed = await Promise.all((await sources.resources(session)).map((source) => source.list()));
      const others = listed.flatMap(({resources}) => resources.map((one) => ({...one})));
      return {resources: [...(await listFiles(session)), ...others]};
    }),
  );
  server.setRequestHandler('resources/templates/list', (_, context) =>
    use(context, async (session) => {
      const listed = await Promise.all((await sources.resources(session)).map((source) => source.list()));
      const file = {name: 'file', uriTemplate: 'file://{+path}', description: 'A file of the workspace.'};
      return {resourceTemplates: [file, ...listed.flatMap(({templates}) => templates.map((one) => ({...one})))]};
    }),
  );
  server.setRequestHandler('resources/read', ({params: {uri}}, context) =>
    use(context, async (session) => ({
      contents: [{...(await readResource(uri, session, context, await sources.resources(session)))}],
    })),
  );
}

/** Reads a resource by the one path of every call. Throws KernelError or ToolError MCP_RESOURCE_UNREADABLE. */
export async function readResource(
  uri: string,
  session: Session,
  {mcpReq: {signal}}: ServerContext,
  sources: readonly ResourceSource[],
): Promise<ServedResource> {
  if (uri.startsWith('file:'))
    return readFileResource(uri, (path) => session.call({tool: 'read_file', input: {file_path: path}}, {signal}));
  for (const source of sources) {
    const found = await source.read(uri);
    if (found) return found;
  }
  throw new KernelError('MCP_RESOURCE_UNREADABLE', `There is no resource ${JSON.stringify(uri)}.`);
}
