import {createHash} from 'node:crypto';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';

/** What was approved, as the file keeps it. */
export interface Approval {
  readonly name: string;
  readonly path: string;
  readonly approved: string;
  readonly mode: string;
  /** Of the text that the person saw. */
  readonly sha256: string;
}

/** The approved plan of a session, in a file beside the session's plans, so that it is still known after a resume. */
export class ApprovalRecord {
  readonly #file: string;

  constructor(private readonly folder: string) {
    this.#file = join(folder, 'approved-plan.json');
  }

  /** Undefined if the file is missing or cannot be read: then no plan counts as approved. */
  async read(): Promise<Approval | undefined> {
    const text = await readText(this.#file).catch(() => undefined);
    try {
      const found: unknown = text === undefined ? undefined : JSON.parse(text);
      return isApproval(found) ? found : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  async write(approval: Approval): Promise<void> {
    await makePrivateFolder(this.folder);
    await writeAtomically(this.#file, `${JSON.stringify(approval, undefined, 2)}\n`);
  }

  async remove(): Promise<boolean> {
    const isThere = (await this.read()) !== undefined;
    await rm(this.#file, {force: true});
    return isThere;
  }
}

/** The digest of a plan's text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isApproval(value: unknown): value is Approval {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return ['name', 'path', 'approved', 'mode', 'sha256'].every((key) => typeof fields[key] === 'string');
}
