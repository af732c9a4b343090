import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {findNameFault} from '@gemini-kernel/files/writing';
import {KernelError, messageOf} from '@gemini-kernel/kernel';

const HINT = 'The keys are in the README of the plugin evals.';

/** The folder of an evaluation while it is read: names what is wrong, and reads the files that it names. */
export class EvalSource {
  readonly file: string;

  constructor(readonly folder: string) {
    this.file = join(folder, 'eval.toml');
  }

  /** The error for something in `eval.toml`. `what` begins with the key. */
  fault(what: string, cause?: unknown): KernelError {
    return new KernelError('EVAL_INVALID', `The evaluation ${this.file} cannot be used: ${what}`, {cause, hint: HINT});
  }

  /** A path inside the project or the folder. */
  path(key: string, path: string): string {
    const fault = findNameFault(path);
    if (fault !== undefined) throw this.fault(`${key} names ${quote(path)}, which ${fault}.`);
    return path;
  }

  pattern(key: string, text: string): RegExp {
    try {
      return new RegExp(text, 'ms');
    } catch (error) {
      throw this.fault(`${key} is ${quote(text)}, which is not a pattern: ${messageOf(error)}.`, error);
    }
  }

  /** The text of a file beside `eval.toml`. */
  async text(key: string, path: string): Promise<string> {
    const file = join(this.folder, this.path(key, path));
    return readText(file).catch((error: unknown) => {
      throw this.fault(`${key} names ${quote(path)}, which cannot be read: ${messageOf(error)}`, error);
    });
  }
}

/** A value as it stands in a sentence. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text);
}
