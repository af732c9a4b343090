import {Flags} from '@oclif/core';
import type {Flag, FlagSpec} from '@gemini-kernel/kernel';

/** A flag that may stand without a value gets its own where none follows. */
export function fillBare(argv: readonly string[], flags: readonly Flag[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.map((word, index) => {
    const flag =
      index < end
        ? flags.find(({bare, name, char}) => bare !== undefined && (word === `--${name}` || word === `-${char ?? ''}`))
        : undefined;
    const next = argv[index + 1];
    return flag && (next === undefined || next.startsWith('-')) ? `--${flag.name}=${flag.bare ?? ''}` : word;
  });
}

/** A contributed flag as oclif wants to know it. */
export function toOclif({description, type, char, multiple, options, value, commands}: FlagSpec): unknown {
  const shared = {description, char, ...(commands ? {} : {helpGroup: 'GLOBAL'})};
  if (type === 'boolean') return Flags.boolean({...shared, allowNo: value === undefined} as never);
  const many = multiple ? {multiple: true, multipleNonGreedy: true, delimiter: ','} : {};
  // oclif's own types cannot express options that are only known at run time.
  return Flags.string({...shared, ...many, ...(options ? {options} : {})} as never);
}
