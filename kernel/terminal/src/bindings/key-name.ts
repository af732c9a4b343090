const MODIFIERS: Readonly<Record<string, string>> = {
  ctrl: 'ctrl',
  control: 'ctrl',
  // The decoder reads Super as Ctrl.
  cmd: 'ctrl',
  command: 'ctrl',
  super: 'ctrl',
  alt: 'alt',
  option: 'alt',
  opt: 'alt',
  meta: 'alt',
  shift: 'shift',
};
const ORDER = ['ctrl', 'alt', 'shift'];
const OTHER_NAMES: Readonly<Record<string, string>> = {
  return: 'enter',
  esc: 'escape',
  del: 'delete',
  ins: 'insert',
  page_up: 'pageup',
  page_down: 'pagedown',
  '[': 'escape',
};
const NAMED = new Set([
  ...['enter', 'escape', 'tab', 'space', 'backspace', 'delete', 'insert', 'home', 'end', 'pageup', 'pagedown'],
  ...['up', 'down', 'left', 'right'],
  ...Array.from({length: 12}, (_, index) => `f${index + 1}`),
]);

/** The name of a key as `keybindings.json` writes it (`Ctrl+Shift+P`, `esc`), or undefined if it is not a key. */
export function readKeyName(written: string): string | undefined {
  const parts = written
    .trim()
    .toLowerCase()
    .split(/\+(?=.)/);
  const last = parts.pop() ?? '';
  const modifiers = parts.map((part) => MODIFIERS[part.trim()]);
  if (modifiers.includes(undefined)) return undefined;
  const isEscape = last === '[' && modifiers.join() === 'ctrl';
  const key = last === '[' && !isEscape ? last : (OTHER_NAMES[last] ?? last);
  if (!NAMED.has(key) && [...key].length !== 1) return undefined;
  return [...(isEscape ? [] : ORDER.filter((one) => modifiers.includes(one))), key].join('+');
}

/** A key as people write it: `Ctrl+A`. */
export function showKeyName(name: string): string {
  return name
    .split(/\+(?=.)/)
    .map((part) => `${part[0]?.toUpperCase() ?? ''}${part.slice(1)}`)
    .join('+')
    .replace('Escape', 'Esc')
    .replace('Pageup', 'PageUp')
    .replace('Pagedown', 'PageDown');
}

/** Whether a key types a character. */
export function isCharacter(name: string): boolean {
  return [...name].length === 1 || name === 'space';
}
