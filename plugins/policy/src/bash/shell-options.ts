import type {ShellWord} from './syntax.js';
import {doubt, joinWords, type Handler} from './walk.js';

const HARMLESS_SETTINGS =
  /^(?:allexport|braceexpand|errexit|errtrace|functrace|hashall|ignoreeof|monitor|noclobber|noexec|noglob|nolog|notify|nounset|onecmd|pipefail|verbose|xtrace)$/;

/** `set`: most of its options change nothing about what the following commands are. */
export const set: Handler = (walk, words) => {
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    if (endsOptions(word)) return;
    const setting = /^[-+]\w*o$/.test(word.value ?? '') ? words[at + 1] : undefined;
    if (mayBeOption(word) && !isHarmless(word, setting))
      return doubt(walk, 'It changes how the shell reads what follows.', joinWords(words));
    if (setting) at += 1;
  }
};

function endsOptions({value}: ShellWord): boolean {
  return value === '--' || value === '-' || (value !== undefined && !/^[-+]/.test(value));
}

function mayBeOption({value, lead}: ShellWord): boolean {
  return value !== undefined || lead === '' || /^[-+]/.test(lead);
}

function isHarmless({value}: ShellWord, setting: ShellWord | undefined): boolean {
  if (!/^[-+][abefhmntuvxBCETo]+$/.test(value ?? '')) return false;
  return !setting || HARMLESS_SETTINGS.test(setting.value ?? '');
}

const HARMLESS_SHOPTS =
  /^(?:-[spuq]+|nullglob|dotglob|globstar|failglob|nocaseglob|nocasematch|inherit_errexit|checkwinsize|histappend|cmdhist|autocd|globasciiranges)$/;

/** `shopt`: some of its options change what globs match. */
export const shopt: Handler = (walk, words) => {
  if (words.some(({value}) => /^(?:dotglob|globstar)$/.test(value ?? '')) && walk.globs === 'plain')
    walk.globs = 'deep';
  if (words.some(({value}) => value === undefined || /^(?:nocaseglob|nocasematch|extglob)$/.test(value)))
    walk.globs = 'any';
  if (!words.slice(1).every(({value}) => value !== undefined && HARMLESS_SHOPTS.test(value)))
    doubt(walk, 'It changes how the shell reads what follows.', joinWords(words));
};
