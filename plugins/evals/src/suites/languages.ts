/** A function of a generated file. */
export interface Sum {
  readonly name: string;
  readonly operator: string;
  readonly constant: number;
}

export interface Language {
  readonly name: string;
  readonly file: string;
  /** The functions as a file; the last one calls `calls`. */
  write(sums: readonly Sum[], calls: string): string;
}

interface Parts {
  readonly head: string;
  readonly foot: string;
  sum(sum: Sum): string;
  call(name: string): string;
}

/** What edits are made in. */
export function languages(): readonly Language[] {
  return [
    language('javascript', 'sums.js', {
      ...{head: '', foot: ''},
      sum: ({name, operator, constant}) =>
        `export function ${name}(a, b) {\n  return a ${operator} b + ${constant};\n}\n`,
      call: (name) => `export function total(a, b) {\n  return ${name}(a, b) + 1;\n}\n`,
    }),
    language('python', 'sums.py', {
      ...{head: '', foot: ''},
      sum: ({name, operator, constant}) => `def ${name}(a, b):\n    return a ${operator} b + ${constant}\n`,
      call: (name) => `def total(a, b):\n    return ${name}(a, b) + 1\n`,
    }),
    language('go', 'sums.go', {
      ...{head: 'package sums\n\n', foot: ''},
      sum: ({name, operator, constant}) =>
        `func ${name}(a int, b int) int {\n\treturn a ${operator} b + ${constant}\n}\n`,
      call: (name) => `func total(a int, b int) int {\n\treturn ${name}(a, b) + 1\n}\n`,
    }),
    language('rust', 'sums.rs', {
      ...{head: '', foot: ''},
      sum: ({name, operator, constant}) =>
        `pub fn ${name}(a: i64, b: i64) -> i64 {\n    a ${operator} b + ${constant}\n}\n`,
      call: (name) => `pub fn total(a: i64, b: i64) -> i64 {\n    ${name}(a, b) + 1\n}\n`,
    }),
    language('java', 'Sums.java', {
      ...{head: 'class Sums {\n', foot: '}\n'},
      sum: ({name, operator, constant}) =>
        `    static long ${name}(long a, long b) {\n        return a ${operator} b + ${constant};\n    }\n`,
      call: (name) => `    static long total(long a, long b) {\n        return ${name}(a, b) + 1;\n    }\n`,
    }),
  ];
}

function language(name: string, file: string, {head, foot, sum, call}: Parts): Language {
  return {
    name,
    file,
    write: (sums, calls) => `${head}${[...sums.map((one) => sum(one)), call(calls)].join('\n')}${foot}`,
  };
}
