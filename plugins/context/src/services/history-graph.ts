import {basename, join} from 'node:path';
import {provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {HistoryGraph} from '../contract.js';
import {LiveGraph} from '../live-graph.js';
import {readProfile} from '../profile.js';
import {SnapshotAhead} from '../snapshot/snapshot-ahead.js';
import {OutputFiles} from '../store/output-files.js';

/** The history of a session as a graph, and what requests have of it. */
export default provide('history-graph', {
  version: '1.0.0',
  scope: 'session',
  capability: 'fs:write',
  methods: ['fit', 'compress', 'describe'],
  create(context): HistoryGraph {
    const {service, signal} = context;
    let open: Promise<OutputFiles> | undefined;
    return new LiveGraph({
      profile: async (compressAt) => readProfile(await service('settings'), compressAt),
      files: () => (open ??= openFiles(context)),
      place: async (session) => new OutputFiles(await findFolder(context, {isToBeMade: false, session})),
      snapshot: new SnapshotAhead({ask: async (request) => (await service('agent')).ask(request, signal)}),
      tell: (sentence) => context.tell({code: 'CONTEXT_NOT_KEPT', sentence, once: 'context'}),
    });
  },
});

/** Where tools may read, and nothing more. */
async function openFiles(context: ServiceContext): Promise<OutputFiles> {
  const files = new OutputFiles(await findFolder(context, {isToBeMade: true}));
  await (await context.service('workspace')).allowReading(files.folder);
  return files;
}

/** Beside the record of the session, with which it is deleted; that of an agent is below its caller's. */
async function findFolder(
  {service, session}: ServiceContext,
  {isToBeMade, session: other}: {readonly isToBeMade: boolean; readonly session?: string | undefined},
): Promise<string> {
  const project = await service('project');
  const temporary = (isToBeMade ? await project.claim() : await project.find())?.temporary ?? '';
  // The id of a session that another program wrote becomes a name of a folder.
  const isOfAgent = other === undefined && session.parent !== undefined;
  const path = isOfAgent ? [session.parent, session.id] : [other ?? session.id];
  const [first = '', ...rest] = path.map((id) => basename(id));
  return join(temporary, 'tool-outputs', `session-${first}`, ...rest);
}
