import {KernelError, provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {Entry} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-policy/contract';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import {checkpointsOf, readCheckpoints, type CheckpointRecord} from '../checkpoint-log.js';
import {listTags, readTag, saveTag, tagFile} from '../chat-tags.js';
import type {
  AgentSession,
  Checkpoint,
  FileChange,
  Prompt,
  PromptChanges,
  Restored,
  RestoreWish,
  Rewound,
  SessionMatch,
  Sessions,
  SessionSummary,
  StoredSession,
} from '../contract.js';
import {Snapshots} from '../file-state.js';
import {restoreAll} from '../restore-all.js';
import {planFiles} from '../restore-files.js';
import {findCheckpoint, findPrompt, listPrompts, recordsSince, showCheckpoint} from '../rewind-session.js';
import {ownerOf} from '../session-lock.js';
import {findSession, listSessions, ownFolderOf, readConversation} from '../session-store.js';
import {searchSessions} from '../search-sessions.js';
import {toJson, toMarkdown} from '../session-texts.js';
import {inUse} from '../start-session.js';

/** The recorded conversations of this project. */
export default provide('sessions', {
  version: '1.2.0',
  scope: 'session',
  methods: [
    ...(['list', 'find', 'open', 'agents', 'delete', 'rename', 'export', 'search', 'prompts', 'changes'] as const),
    ...(['undo', 'rewind', 'checkpoints', 'restore', 'saveTag', 'tags', 'resumeTag', 'deleteTag'] as const),
  ],
  create: (context) => new StoredSessions(context),
});

class StoredSessions implements Sessions {
  readonly #context: ServiceContext;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  async list(): Promise<ReturnType<typeof listSessions>> {
    return listSessions(await this.#folder(), this.#current);
  }

  async find(name: string): Promise<SessionSummary> {
    return findSession((await this.list()).sessions, name === 'current' && this.#current !== '' ? this.#current : name);
  }

  async open(name: string): Promise<StoredSession> {
    const session = await this.find(name);
    const {entries, notice, scratchpad} = await readConversation(session.file);
    return {...session, entries, ...(scratchpad && {scratchpad}), ...(notice && !session.isCurrent ? {notice} : {})};
  }

  async agents(name: string): Promise<readonly AgentSession[]> {
    const [{id}, {readAgentSessions}] = await Promise.all([this.find(name), import('../agent-sessions.js')]);
    return readAgentSessions(await this.#folder(), id);
  }

  async delete(name: string): Promise<SessionSummary> {
    const [session, {deleteSession}] = await Promise.all([this.find(name), import('../delete-session.js')]);
    await this.#refuseInUse(session);
    await deleteSession(await this.#claim(), session);
    return session;
  }

  async rename(name: string, given: string): Promise<SessionSummary> {
    const [session, {readTitle}] = await Promise.all([this.find(name), import('../session-title.js')]);
    const title = readTitle(given);
    const isOurs = session.isCurrent && (await (await this.#context.service('recording')).rename(title));
    if (!isOurs) {
      const {appendToSession} = await import('../append-to-session.js');
      await appendToSession(session.id, session.file, [{$set: {summary: title}}]);
    }
    return {...session, title};
  }

  async export(name: string, format: 'markdown' | 'json'): Promise<string> {
    const {file} = await this.find(name);
    const {metadata, entries} = await readConversation(file);
    return format === 'json' ? toJson(metadata, entries) : toMarkdown(entries);
  }

  async search(text: string): Promise<readonly SessionMatch[]> {
    return searchSessions((await this.list()).sessions, text, this.#context.signal);
  }

  async prompts(name: string): Promise<readonly Prompt[]> {
    const {entries, records} = await this.#read(name);
    return listPrompts(entries, records);
  }

  async rewind(
    name: string,
    given: string,
    {what, ...wish}: {readonly what: 'both' | 'conversation' | 'files'} & RestoreWish,
  ): Promise<Rewound> {
    const {id, file, entries, records, folder} = await this.#read(name);
    const isCurrent = id === this.#current;
    const prompt = findPrompt(listPrompts(entries, records), given);
    if (!isCurrent) await this.#refuseInUse({id, file});
    const files =
      what === 'conversation' || folder === undefined
        ? undefined
        : await this.#restore(folder, recordsSince(entries, records, prompt.id), wish);
    if (what === 'files') return {text: prompt.text, ...(files ? {files} : {})};
    if (isCurrent) await this.#rewindCurrent(prompt.id);
    else {
      const {appendToSession, rewindTo} = await import('../append-to-session.js');
      await appendToSession(id, file, rewindTo(prompt.id));
    }
    return {text: prompt.text, ...(files ? {files} : {})};
  }

  async changes(name: string): Promise<readonly PromptChanges[]> {
    const {records, folder} = await this.#read(name);
    const {countChanges} = await import('../describe-changes.js');
    return countChanges(records, this.#compared(folder));
  }

  async undo(name: string, given: string): Promise<readonly FileChange[]> {
    const {entries, records, folder} = await this.#read(name);
    const {id} = findPrompt(listPrompts(entries, records), given);
    const {describeUndo} = await import('../describe-changes.js');
    return describeUndo(await planFiles(recordsSince(entries, records, id)), this.#compared(folder));
  }

  #compared(folder = ''): {readonly store: Snapshots; readonly cwd: string} {
    return {store: new Snapshots(checkpointsOf(folder).objects), cwd: this.#context.environment.cwd};
  }

  async checkpoints(name: string): Promise<readonly Checkpoint[]> {
    return (await this.#read(name)).records.map(showCheckpoint);
  }

  async restore(name: string, given: string, wish: RestoreWish): Promise<Restored> {
    const {records, folder} = await this.#read(name);
    const from = findCheckpoint(records, given);
    return this.#restore(folder ?? '', records.slice(from), wish);
  }

  async saveTag(name: string, tag: string, {force}: {readonly force: boolean}): Promise<{readonly file: string}> {
    const {entries} = await this.#read(name);
    return {file: await saveTag(await this.#claim(), {tag, entries, force})};
  }

  async tags(): Promise<readonly {readonly tag: string; readonly saved: string}[]> {
    const folder = await this.#folder();
    return folder ? listTags(folder) : [];
  }

  async resumeTag(tag: string): Promise<{readonly id: string}> {
    const [{bytes, file}, {createSession}, {readMessages}] = await Promise.all([
      readTag(await this.#folder(), tag),
      import('../create-session.js'),
      import('../import-session.js'),
    ]);
    const {newId} = this.#context.environment;
    const entries = readMessages(bytes, newId);
    if (!entries || entries.length === 0)
      throw new KernelError('SESSION_FILE_UNREADABLE', `${file} contains no conversation.`, {
        hint: `To delete it, run: gemini sessions tag delete ${tag}`,
      });
    return {id: await createSession(await this.#claim(), {id: newId(), entries, title: tag})};
  }

  async deleteTag(tag: string): Promise<void> {
    const [folder, {rm}] = await Promise.all([this.#folder(), import('node:fs/promises')]);
    await readTag(folder, tag);
    if (folder) await rm(tagFile(folder, tag), {force: true});
  }

  get #current(): string {
    return this.#context.session.live ? this.#context.session.id : '';
  }

  /** In a conversation, the front end offers the prompt again. */
  async #rewindCurrent(prompt: string): Promise<void> {
    const {names, service} = this.#context;
    const conversations = names('conversations').length > 0 ? await service('conversations') : undefined;
    await (conversations && (await conversations.find(this.#current))
      ? conversations.rewind(this.#current, prompt)
      : (await service('agent')).rewind(prompt));
  }

  async #folder(): Promise<ProjectFolder | undefined> {
    return (await this.#context.service('project')).find();
  }

  async #claim(): Promise<ProjectFolder> {
    return (await this.#context.service('project')).claim();
  }

  async #refuseInUse({id, file}: {readonly id: string; readonly file: string}): Promise<void> {
    const owner = await ownerOf(file);
    if (owner) throw inUse(id, file, owner);
  }

  /** The current conversation: for the one that asks, the agent's own history. */
  async #read(name: string): Promise<{
    id: string;
    file: string;
    entries: readonly Entry[];
    records: readonly CheckpointRecord[];
    folder: string | undefined;
  }> {
    const isCurrent = this.#current !== '' && (name === this.#current || name === 'current');
    if (this.#current !== '') await (await this.#context.service('checkpoints')).settled();
    const found = isCurrent ? {id: this.#current, file: ''} : await this.find(name);
    const project = await this.#folder();
    const folder = project && ownFolderOf(project, found.id);
    const entries =
      found.id === this.#current
        ? await (await this.#context.service('agent')).history()
        : (await readConversation(found.file)).entries;
    const records = folder === undefined ? [] : await readCheckpoints(folder);
    return {id: found.id, file: found.file, entries, folder, records};
  }

  async #restore(
    folder: string,
    records: readonly CheckpointRecord[],
    {force, approved = []}: RestoreWish,
  ): Promise<Restored> {
    const {environment, names, service} = this.#context;
    const workspace = await service('workspace');
    const policy = names('policy').length > 0 ? await service('policy') : undefined;
    return restoreAll(await planFiles(records), {
      folder,
      objects: checkpointsOf(folder).objects,
      force,
      approved: new Set(approved),
      newId: environment.newId,
      resolve: (path) => workspace.resolve(path),
      confirm: (path, identity) => workspace.confirm(path, identity),
      // Without rules, no path is guarded.
      guard: async (paths) => (await policy?.guard(paths)) ?? [],
    });
  }
}
