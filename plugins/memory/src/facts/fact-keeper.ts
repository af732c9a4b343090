import {realpath, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {makePrivateFolder, readRegular} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {messageOf, ToolError} from '@gemini-kernel/kernel';
import {isInside, type Place} from '../context-files.js';
import type {ContextFile, Fact, Proposal} from '../contract.js';
import {readText} from '../read-text.js';
import {addLine, cleanFact, findFact, lineOf, type Origin} from './fact-text.js';

const LONGEST = 1000;
const MOST_BYTES = 512 * 1024;
const SHARED_FILE = 0o644;
const PRIVATE_FILE = 0o600;

interface Parts {
  /** Where a fact of a scope may stand, the usual place first; none where the scope cannot be used. */
  places(scope: Fact['scope']): Promise<readonly Place[]>;
  /** What the model has already. */
  files(): Promise<readonly ContextFile[]>;
  /** Whether a text has the form or the value of a secret. */
  isSecret(text: string): Promise<boolean>;
  origin(): Origin;
}

/** Adds facts to context files: each once, and none that is secret. */
export class FactKeeper {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: Parts) {}

  /** Throws ToolError MEMORY_REFUSED. */
  async propose({text, scope}: Fact): Promise<Proposal> {
    const fact = cleanFact(text);
    if (fact === '') throw refused('There is nothing to remember.');
    if (fact.length > LONGEST) throw refused(`The fact has ${fact.length} characters; ${LONGEST} are possible.`);
    if (await this.parts.isSecret(fact))
      throw refused('The fact looks like a secret, and context files are sent with every request.', {
        hint: 'Keep secrets in the environment, and remember where they are instead.',
      });
    const place = await this.#find(scope);
    const known = await this.#known(fact, place);
    if (known) return {...known, isKnown: true, line: fact};
    return {path: place.path, isKnown: false, line: lineOf(fact, this.parts.origin())};
  }

  /** Throws ToolError MEMORY_REFUSED. One after the other, so that no fact is lost. */
  keep(fact: Fact): Promise<Proposal> {
    const turn = this.#last.then(async () => {
      const proposal = await this.propose(fact);
      if (!proposal.isKnown) await write(proposal, fact.scope);
      return proposal;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** The place whose file exists, else the usual one. A link is followed where it may lead. */
  async #find(scope: Fact['scope']): Promise<Place> {
    const places = await this.parts.places(scope);
    const [usual] = places;
    if (!usual)
      throw refused(`Facts of the scope ${scope} cannot be kept here: the folder is not trusted, or is no project.`);
    for (const place of places) {
      const real = await realpath(place.path).catch(() => undefined);
      if (real === undefined) continue;
      if (scope === 'project' && !isInside(real, await realpath(place.root)))
        throw refused(`${place.path} is a link that leads outside the project.`);
      return {...place, path: real};
    }
    return usual;
  }

  async #known(fact: string, {path}: Place): Promise<{readonly path: string; readonly at: number} | undefined> {
    const own = await readText(path);
    const texts = [...('text' in own ? [{path, text: own.text}] : []), ...(await this.parts.files())];
    for (const {path: file, text} of texts) {
      const at = findFact(text, fact);
      if (at !== undefined) return {path: file, at};
    }
    return undefined;
  }
}

async function write({path, line}: Proposal, scope: Fact['scope']): Promise<void> {
  const before = await readWhole(path);
  const like = await stat(path).catch(() => ({mode: scope === 'project' ? SHARED_FILE : PRIVATE_FILE}));
  await makePrivateFolder(dirname(path));
  await writeAtomically(path, addLine(before, line), {like});
}

/** The text with its byte order mark, exact; empty when there is no file. */
async function readWhole(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(
      await readRegular(path, {limit: MOST_BYTES}),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    const why = isEncodingFault(error) ? 'it is not UTF-8' : messageOf(error).replace(/\.$/, '');
    throw refused(`${path} cannot be added to: ${why}.`);
  }
}

function isEncodingFault(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}

function refused(sentence: string, more: {readonly hint?: string} = {}): ToolError {
  return new ToolError('MEMORY_REFUSED', sentence, more);
}
