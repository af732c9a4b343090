import {existsSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {makePrivateFolder} from '@gemini-kernel/files';
import {isKernelError, messageOf, provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {Entry, HistoryChange, LoadedHistory} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {ProjectFolder} from '@gemini-kernel/plugin-workspace/contract';
import type {Recording} from '../contract.js';
import type {Recorder} from '../recorder.js';
import {textOf, type Metadata} from '../records.js';
import type {SessionChoice} from '../start-session.js';

const choosingFlags = ['session.resume', 'session.id', 'session.file'];
/** Leftovers of killed processes. */
const MOST_SWEEPING_MS = 1000;

/** The record of the current conversation. */
export default provide('recording', {
  version: '1.0.0',
  scope: 'session',
  methods: ['begin', 'load', 'change', 'directories', 'place', 'opened', 'rename', 'close'],
  create: (context) => new LiveRecording(context),
  dispose: (recording) => recording.close(),
});

/** The file's content for a resumed session. */
interface Loaded {
  readonly history: LoadedHistory;
  readonly directories: readonly string[];
  readonly title: string | undefined;
}

class LiveRecording implements Recording {
  readonly #context: ServiceContext;
  #choice: SessionChoice | undefined;
  #loaded: Promise<Loaded> | undefined;
  #recorder: Promise<Recorder | undefined> | undefined;
  /** A new session has no file until its first prompt. */
  #early: HistoryChange[] = [];
  #prompt: string | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #tidying: Promise<void> | undefined;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  async begin(id: string): Promise<string> {
    if (this.#context.session.subagent !== undefined) return id;
    const {environment, service, names, tell} = this.#context;
    const wish = names('conversations').length > 0 ? await (await service('conversations')).choice(id) : undefined;
    const isFlagged = !wish && choosingFlags.some((key) => environment.flags[key] !== undefined);
    // Most sessions are new, and then nothing is read before the first prompt.
    if (wish?.kind !== 'resume' && !isFlagged) return id;
    const [project, {chooseSession, continueSession}] = await Promise.all([
      service('project'),
      import('../start-session.js'),
    ]);
    this.#choice =
      wish?.kind === 'resume'
        ? await continueSession(id, wish, {folder: await project.find(), tell})
        : await chooseSession(id, {environment, tell}, () => project.find());
    return this.#choice.id;
  }

  async load(): Promise<LoadedHistory | undefined> {
    const {file, imported} = this.#choice ?? {};
    if (file !== undefined) return (await this.#read(file)).history;
    if (!imported) return undefined;
    await this.change({kind: 'replace', entries: imported, why: 'start'});
    return {entries: imported};
  }

  async change(change: HistoryChange): Promise<void> {
    const asked = promptIn(change);
    if (change.kind === 'rewind' || asked !== undefined) {
      this.#prompt = asked;
      await (await this.#context.service('current-prompts')).note(this.#context.session.id, asked);
    }
    if (!this.#recorder && !saysSomething(change) && this.#choice?.file === undefined)
      return void this.#early.push(change);
    const changes = [...this.#early.splice(0), change];
    this.#recorder ??= this.#start();
    const writing = Promise.all([this.#recorder, this.#last]).then(async ([recorder]) => {
      for (const one of changes) await recorder?.change(one);
    });
    this.#last = writing.catch(() => undefined);
    // A prompt is written to disk while the model is asked; everything later waits for it.
    if (asked !== undefined)
      writing.catch((error: unknown) =>
        this.#context.tell({
          code: 'CONVERSATION_NOT_RECORDED',
          sentence: `A prompt was not recorded: ${messageOf(error)}`,
        }),
      );
    else await writing;
    if (change.kind === 'settled' && this.#context.session.subagent === undefined) this.#tidying ??= this.#tidy();
  }

  async directories(): Promise<void> {
    const recorder = await this.#recorder;
    const roots = await (await this.#context.service('workspace')).roots();
    await recorder?.set({directories: roots.filter(({source}) => source === 'session').map(({path}) => path)});
  }

  async place(): Promise<{readonly prompt: string | undefined; readonly folder: string} | undefined> {
    if (!(await this.#recorder)) return undefined;
    const {ownFolderOf} = await import('../session-store.js');
    const {id, parent, subagent} = this.#context.session;
    // What an agent changes is undone with the prompt that called it.
    const owner = subagent === undefined ? id : (parent ?? id);
    const folder = ownFolderOf(await (await this.#context.service('project')).claim(), owner);
    if (folder === undefined) return undefined;
    const prompt = owner === id ? this.#prompt : await (await this.#context.service('current-prompts')).of(owner);
    return {prompt, folder};
  }

  async opened(): Promise<void> {
    const {file} = this.#choice ?? {};
    if (file !== undefined) await this.#openDirectories((await this.#read(file)).directories);
  }

  async rename(title: string): Promise<boolean> {
    if (!this.#recorder && this.#choice?.file === undefined) return false;
    this.#recorder ??= this.#start();
    await (await this.#recorder)?.set({summary: title});
    return true;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#tidying;
    const recorder = await this.#recorder;
    await recorder?.close();
    const file = recorder?.file ?? this.#choice?.file;
    if (file === undefined) return;
    const {releaseLock} = await import('../session-lock.js');
    await releaseLock(file).catch(() => undefined);
  }

  #read(file: string): Promise<Loaded> {
    return (this.#loaded ??= import('../session-store.js').then(async ({readConversation}) => {
      const {entries, notice, metadata} = await readConversation(file);
      const {directories} = metadata;
      return {
        title: textOf(metadata['summary']),
        history: {entries, ...(notice ? {notice} : {})},
        directories: Array.isArray(directories) ? directories.filter((one) => typeof one === 'string') : [],
      };
    }));
  }

  /** A home that cannot be written does not stop the conversation. */
  async #start(): Promise<Recorder | undefined> {
    try {
      const [{Recorder}, folder] = await Promise.all([
        import('../recorder.js'),
        this.#context.service('project').then((project) => project.claim()),
      ]);
      const {file, goesOn} = await this.#place(folder);
      const loaded = goesOn ? await this.#read(file) : undefined;
      const start = new Date().toISOString();
      const {id, subagent} = this.#context.session;
      return new Recorder({
        ...{file, goesOn, title: loaded?.title, earlier: loaded?.history.entries ?? []},
        root: subagent === undefined ? folder.root : undefined,
        tell: this.#context.tell,
        metadata: {sessionId: id, projectHash: folder.hash, startTime: start, lastUpdated: start, ...kindOf(subagent)},
      });
    } catch (error) {
      const hint = isKernelError(error) && error.hint ? ` ${error.hint}` : '';
      const sentence = `This conversation is not recorded: ${messageOf(error)}${hint}`;
      this.#context.tell({code: 'CONVERSATION_NOT_RECORDED', sentence});
      return undefined;
    }
  }

  async #place(folder: ProjectFolder): Promise<{readonly file: string; readonly goesOn: boolean}> {
    const {file} = this.#choice ?? {};
    if (file !== undefined) return {file, goesOn: true};
    const [{nameSession}, {chatsOf}, {takeLock}] = await Promise.all([
      import('../session-name.js'),
      import('../session-store.js'),
      import('../session-lock.js'),
    ]);
    const {id, parent, subagent} = this.#context.session;
    const chats = subagent !== undefined && parent !== undefined ? join(chatsOf(folder), parent) : chatsOf(folder);
    await makePrivateFolder(chats);
    if (subagent !== undefined) return {file: join(chats, `${id}.jsonl`), goesOn: false};
    const named = join(chats, nameSession(id, new Date()));
    // Two ids with the same prefix that began within a minute.
    const own = existsSync(named) ? join(chats, `session-${Date.now()}-${id.slice(0, 8)}.jsonl`) : named;
    await takeLock(own);
    return {file: own, goesOn: false};
  }

  async #openDirectories(directories: readonly string[]): Promise<void> {
    const there = directories.filter((path) => statSync(path, {throwIfNoEntry: false})?.isDirectory());
    const gone = directories.filter((path) => !there.includes(path));
    if (gone.length > 0)
      this.#context.tell({
        code: 'DIRECTORIES_GONE',
        sentence: `Directories of this session no longer exist: ${gone.join(', ')}.`,
      });
    if (there.length > 0)
      await (await this.#context.service('workspace')).add(there, {scope: 'session', source: 'recorded'});
  }

  /** In the background, after the first answer. Only the end of the program waits for it, and not for long. */
  async #tidy(): Promise<void> {
    const {session, service, tell} = this.#context;
    const warn = (sentence: string): void => tell({code: 'SESSIONS_NOT_DELETED', sentence});
    const signal = AbortSignal.timeout(MOST_SWEEPING_MS);
    try {
      const [folder, settings, {tidyProject}] = await Promise.all([
        service('project').then((project) => project.find()),
        service('settings'),
        import('../tidy-project.js'),
      ]);
      if (folder) await tidyProject(folder, settings, {current: session.id, signal, warn});
    } catch (error) {
      if (!signal.aborted) warn(`Old sessions could not be deleted: ${messageOf(error)}`);
    }
  }
}

function kindOf(subagent: string | undefined): Pick<Metadata, 'kind' | 'agent'> {
  return subagent === undefined ? {kind: 'main'} : {kind: 'subagent', agent: subagent};
}

/** The id of the prompt that a change adds. */
function promptIn(change: HistoryChange): string | undefined {
  return change.kind === 'put' && isPrompt(change.entry) ? change.entry.id : undefined;
}

/** Whether a change is more than a note or an order, and so starts a file. */
function saysSomething(change: HistoryChange): boolean {
  if (change.kind === 'put') return change.entry.kind !== 'note';
  return change.kind === 'replace' && change.entries.some(isPrompt);
}

function isPrompt({kind, origin}: Entry): boolean {
  return kind === 'user' && (origin === undefined || origin === 'person');
}
