import {isAbsolute, join} from 'node:path';
import {ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {isBuiltIn} from './built-in.js';
import {skillFolderItem} from './source-items.js';
import type {FoundSkills, Skill, SkillContent, SkillFolder, Skills} from './contract.js';
import {findSkills} from './find/find-skills.js';
import type {NotedHeads} from './find/noted-heads.js';
import type {SkillReader} from './find/read-skill.js';
import {listRoots} from './find/skill-roots.js';
import {readDisabled, whyOff} from './skill-switch.js';

type Context = Pick<ServiceContext, 'environment' | 'service' | 'sources' | 'tell'>;

/** Finds skills at first use, and again with each `refresh`. */
export class LiveSkills implements Skills {
  readonly #followers = new Set<() => void>();
  #found: Promise<FoundSkills> | undefined;
  #reader: Promise<SkillReader> | undefined;

  constructor(private readonly context: Context) {}

  list(): Promise<FoundSkills> {
    return (this.#found ??= this.#find().catch((error: unknown) => {
      this.#found = undefined;
      throw error;
    }));
  }

  async read(name: string): Promise<SkillContent> {
    const {readContent} = await import('./find/skill-content.js');
    return readContent(await this.#named(name));
  }

  async activate(name: string, {digest}: {readonly digest?: string} = {}): Promise<SkillContent> {
    const content = await this.read(name);
    const {skill} = content;
    if (!skill.enabled) throw unknown(`The skill "${skill.name}" is disabled.`, `gemini skills enable ${skill.name}`);
    if (digest !== undefined && digest !== content.digest)
      throw new ToolError('SKILL_CHANGED', `The skill "${skill.name}" changed while you were asked about it.`, {
        hint: `Look at ${skill.file}, then activate it again.`,
      });
    await (await this.context.service('workspace')).allowReading(skill.folder);
    return content;
  }

  async refresh(): Promise<void> {
    const before = this.#found && JSON.stringify(await this.#found);
    this.#found = this.#find();
    const found = await this.list();
    this.#tell(found);
    if (before !== undefined && before !== JSON.stringify(found)) for (const changed of this.#followers) changed();
  }

  follow(changed: () => void): () => void {
    this.#followers.add(changed);
    return () => this.#followers.delete(changed);
  }

  async #find(): Promise<FoundSkills> {
    const {environment, service} = this.context;
    const settings = await service('settings');
    const off = await whyOff(settings);
    if (off !== undefined) return {skills: [], faults: [], off};
    const isTrusted = await (await service('trust')).may('skills');
    const {roots, faults: untrusted} = await listRoots({environment, isTrusted, folders: await this.#folders()});
    const found = await findSkills({
      roots,
      home: environment.home,
      reader: () => this.#read(),
      noted: () => this.#noted(),
    });
    const disabled = await readDisabled(settings);
    return {
      skills: found.skills.map((skill) => ({...skill, enabled: !disabled.has(skill.name.toLowerCase())})),
      faults: [...found.faults, ...untrusted],
    };
  }

  /** Folders of extensions and bundles. Those of an installed plugin are named after it. */
  async #folders(): Promise<readonly SkillFolder[]> {
    const listed = await this.context.sources<SkillFolder>('skill-folders', skillFolderItem);
    return listed.flatMap(({items, isOurs, plugin}) =>
      items
        .filter(({path}) => isAbsolute(path))
        .map((folder) => (isOurs ? folder : {path: folder.path, owner: `${folder.owner} (${plugin})`})),
    );
  }

  #read(): Promise<SkillReader> {
    return (this.#reader ??= import('./find/read-skill.js').then(({SkillReader: Reader}) => new Reader()));
  }

  async #noted(): Promise<NotedHeads> {
    const {NotedHeads: Heads} = await import('./find/noted-heads.js');
    return new Heads({file: join(this.context.environment.cacheDir, 'skills', 'heads.json'), now: () => Date.now()});
  }

  async #named(name: string): Promise<Skill> {
    const {skills, off} = await this.list();
    if (off !== undefined) throw unknown(off);
    const found = skills.find((skill) => skill.name.toLowerCase() === name.trim().toLowerCase());
    if (found) return found;
    const others = skills.map((skill) => skill.name).slice(0, 20);
    throw unknown(`There is no skill "${name}".`, `There are: ${others.join(', ')}.`);
  }

  #tell({skills, faults}: FoundSkills): void {
    const {tell} = this.context;
    for (const {file, reason, kind} of faults) {
      const sentence = `${file} ${reason}.`;
      if (kind === 'broken') tell({code: 'SKILL_LEFT_OUT', sentence, once: sentence});
    }
    for (const {name, file, replaces = [], enabled} of skills) {
      const others = replaces.filter((one) => !isBuiltIn(one));
      if (!enabled || others.length === 0) continue;
      const sentence = `The skill "${name}" of ${file} is used instead of ${others.join(', ')}.`;
      tell({level: 'info', code: 'SKILL_REPLACED', sentence, once: sentence});
    }
  }
}

function unknown(sentence: string, hint?: string): ToolError {
  return new ToolError('SKILL_UNKNOWN', sentence, hint === undefined ? {} : {hint});
}
