import {KernelError} from '@gemini-kernel/kernel';

/** `$1` to `$9`, `${10}`, `$@` and `$*` for all of them; a backslash before it keeps the text. */
const PLACE = /\\?\$(?:[1-9](?!\d)|\{[1-9]\d?\}|[@*])/g;

/** Inserts arguments into a prompt, once: their content is not expanded. Throws KernelError PROMPT_ARGUMENTS_WRONG. */
export function fillArguments(file: string, body: string, given: readonly string[]): string {
  let [most, takesAll] = [0, false];
  const filled = body.replace(PLACE, (place) => {
    if (place.startsWith('\\')) return place.slice(1);
    if (/[@*]$/.test(place)) {
      takesAll = true;
      return given.join(' ');
    }
    const at = Number(place.replace(/\D/g, ''));
    most = Math.max(most, at);
    return given[at - 1] ?? '';
  });
  if (most > given.length) throw wrong(file, `$${most}`, {given, hint: 'Pass its arguments after the file.'});
  if (takesAll || given.length <= most) return filled;
  const hint = 'Put flags of gemini before --prompt-file. In the file, $@ stands for all arguments.';
  throw wrong(file, most === 0 ? 'no arguments' : `arguments up to $${most}`, {given, hint});
}

interface Misuse {
  readonly given: readonly string[];
  readonly hint: string;
}

function wrong(file: string, used: string, {given, hint}: Misuse): KernelError {
  const count = given.length === 1 ? '1 argument is' : `${given.length} arguments are`;
  return new KernelError('PROMPT_ARGUMENTS_WRONG', `${file} uses ${used}, and ${count} given.`, {hint});
}
