import {describe, expect, test} from '@jest/globals';
import {keyCommands} from '#kernel/terminal/dist/bindings/key-commands.js';
import {KeyBindings, keyHelp, readBindings, readKeyName, showKeyName} from '#kernel/terminal/dist/index.js';

const read = (...entries: readonly (readonly [key: string, command: string])[]): ReturnType<typeof readBindings> =>
  readBindings(JSON.stringify(entries.map(([key, command]) => ({key, command}))));

describe('names of keys', () => {
  test.each([
    ['Ctrl+Shift+P', 'ctrl+shift+p'],
    ['shift+control+p', 'ctrl+shift+p'],
    ['cmd+Z', 'ctrl+z'],
    ['option+Return', 'alt+enter'],
    ['esc', 'escape'],
    ['ctrl+[', 'escape'],
    ['page_up', 'pageup'],
    ['F12', 'f12'],
    ['ctrl++', 'ctrl++'],
    ['[', '['],
    ['', undefined],
    ['ctrl+', undefined],
    ['hyper+x', undefined],
    ['f13', undefined],
    ['ctrl+nothing', undefined],
  ])('%s is %s [keys.bindings]', (written, name) => {
    expect(readKeyName(written)).toBe(name);
  });

  test('are shown as people write them, and can be read again [keys.listed]', () => {
    const names = keyCommands().flatMap(({keys}) => keys);
    expect(names.map((name) => readKeyName(showKeyName(name)))).toEqual(names);
  });
});

test('in one place, a standard key belongs to one command [keys.bindings]', () => {
  const bound = keyCommands().flatMap(({place, keys}) => keys.map((key) => `${place} ${key}`));
  expect(bound).toEqual([...new Set(bound)]);
});

describe('keybindings.json', () => {
  test('adds a key, takes it from another command, and removes one [keys.bindings]', () => {
    const {bindings, faults} = read(['ctrl+w', 'edit.undo'], ['alt+b', '-cursor.wordLeft']);
    expect(faults).toEqual([]);
    expect(bindings.actOf('prompt', 'ctrl+w')).toBe('undo');
    expect(bindings.keysOf('edit.deleteBlankLeft')).toEqual([]);
    expect(bindings.keysOf('edit.undo')).toEqual(['ctrl+w', 'alt+z', 'ctrl+_']);
    expect(bindings.actOf('prompt', 'alt+b')).toBeUndefined();
    expect(bindings.actOf('prompt', 'ctrl+left')).toBe('word-left');
    expect(new KeyBindings().actOf('prompt', 'ctrl+w')).toBe('kill-blank-left');
  });

  test('can exchange two keys [keys.bindings]', () => {
    const {bindings, faults} = read(['ctrl+a', 'cursor.end'], ['ctrl+e', 'cursor.home']);
    expect(faults).toEqual([]);
    expect([bindings.actOf('prompt', 'ctrl+a'), bindings.actOf('prompt', 'ctrl+e')]).toEqual([
      'line-end',
      'line-start',
    ]);
  });

  test('gives a command its key in every place where it exists [keys.bindings]', () => {
    const {bindings} = read(['f1', 'basic.cancel']);
    expect((['prompt', 'search', 'suggestions', 'list'] as const).map((place) => bindings.actOf(place, 'f1'))).toEqual([
      'escape',
      'cancel',
      'close',
      'close',
    ]);
  });

  test('may name commands that only Gemini CLI has [keys.bindings]', () => {
    expect(read(['f8', 'app.dumpFrame'], ['ctrl+l', '-background.toggleList']).faults).toEqual([]);
  });

  test.each([
    ['{', /^It is not JSON: /],
    ['{}', /^It must be a list/],
    ['[3]', /^Entry 1: it needs a "key" and a "command"/],
    ['[null]', /^Entry 1: it needs/],
    ['[{"key": "f1", "command": "edit.fly"}]', /^Entry 1: there is no command "edit\.fly"\.$/],
    ['[{"key": "f99", "command": "edit.undo"}]', /^Entry 1: "f99" is not a key\.$/],
    ['[{"key": "a", "command": "edit.undo"}]', /^Entry 1: "a" types a character/],
    ['[{"key": "Ctrl+C", "command": "-basic.quit"}]', /^Entry 1: Ctrl\+C always stops/],
    [`[${Array.from({length: 1001}, () => '0').join()}]`, /^It has 1001 entries/],
    [
      '[{"key": "f1", "command": "edit.undo"}, {"key": "F1", "command": "edit.redo"}]',
      /^Entry 2: "f1" is already bound to edit\.undo\.$/,
    ],
  ])('%# says what is wrong, and changes nothing [keys.bindings]', (text, fault) => {
    const {bindings, faults} = readBindings(text);
    expect(faults).toEqual([expect.stringMatching(fault)]);
    const others = new Set(['f1']);
    for (const {place, act, keys} of keyCommands())
      for (const key of keys.filter((one) => !others.has(one))) expect(bindings.actOf(place, key)).toBe(act);
  });

  test('may have comments [keys.bindings]', () => {
    const {bindings, faults} = readBindings('// mine\n[/* one */ {"key": "f1", "command": "edit.undo"}]');
    expect([faults, bindings.actOf('prompt', 'f1')]).toEqual([[], 'undo']);
  });
});

test('the help leaves out what has no key [keys.listed]', () => {
  const says = (bindings: KeyBindings): readonly string[] => keyHelp(bindings).map(([keys]) => keys);
  expect(says(new KeyBindings())).toContain('Ctrl+R');
  expect(says(read(['ctrl+r', '-history.search.start']).bindings)).not.toContain('Ctrl+R');
});
