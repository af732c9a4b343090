import type {Arguments} from './argument-tables.js';

/** A command of git that only looks. */
export interface GitReader extends Arguments {
  /** Whether it shows what files hold: never, always, or with such an option. */
  readonly shows: 'never' | 'always' | RegExp;
  /** Options with which it shows no more than names and numbers. */
  readonly hides?: RegExp;
  /** It shows versions of files that are not there now. */
  readonly isHistory?: boolean;
}

const HIDING =
  /^--(?:stat|numstat|shortstat|dirstat|summary|name-only|name-status|no-patch|quiet|compact-summary)$|^-s$/;
const COMPARING =
  'stat stat= numstat shortstat dirstat summary name-only name-status no-patch quiet compact-summary patch ' +
  'patch-with-stat unified= ' +
  ('raw minimal patience histogram diff-algorithm= word-diff word-diff= color-words color color= no-color ' +
    'color-moved color-moved= ignore-all-space ') +
  ('ignore-space-change ignore-space-at-eol ignore-blank-lines ignore-cr-at-eol function-context diff-filter= ' +
    'find-renames find-renames= find-copies ') +
  ('no-renames exit-code check full-index binary abbrev abbrev= relative no-prefix inter-hunk-context= no-ext-diff ' +
    'no-textconv text');
const WALKING =
  'oneline graph decorate decorate= no-decorate all branches branches= tags tags= remotes no-merges merges ' +
  'first-parent reverse max-count= ' +
  ('skip= since= until= after= before= author= committer= grep= invert-grep all-match regexp-ignore-case format= ' +
    'pretty pretty= abbrev-commit ') +
  ('no-abbrev-commit date= relative-date follow topo-order date-order full-history simplify-by-decoration ' +
    'left-right cherry-pick ancestry-path ') +
  ('walk-reflogs source parents children boundary simplify-merges no-walk clear-decorations encoding= expand-tabs ' +
    'notes no-notes');

const LOOK: GitReader = {shows: 'never', operands: 'text'};

/**
 * Options that the product accepts of `git`: none of them runs a program, writes a file, or reads one that it does
 * not show the name of. Left out are, among others, `--output`, `--ext-diff`, `--textconv`, `--no-index`, `-O`, `log
 * -L`, `log -S` and `-G` (they tell whether a text is in a file), `blame -S`, `--contents`, `--ignore-revs-file`,
 * `ls-files -X`, `--pathspec-from-file`, and every abbreviation.
 */
export const GIT_READERS: Readonly<Record<string, GitReader>> = {
  status: {
    ...LOOK,
    flags: 'sbuz',
    long:
      'short branch porcelain porcelain= long untracked-files untracked-files= ignored ignored= show-stash ' +
      'ahead-behind no-ahead-behind column ' +
      'no-column renames no-renames',
  },
  diff: {
    operands: 'text',
    flags: 'pusbwWzaRM',
    values: 'U',
    numeric: true,
    long: `${COMPARING} cached staged merge-base`,
    shows: 'always',
    hides: HIDING,
  },
  log: {
    operands: 'text',
    flags: 'pusbwWzaRMigcmEFP',
    values: 'nU',
    numeric: true,
    long: `${COMPARING} ${WALKING} cc`,
    hides: HIDING,
    isHistory: true,
    shows:
      /^-[a-zA-Z]*[puWcU]|^--(?:patch|patch-with-stat|unified|cc|word-diff|color-words|function-context|binary|check|raw-patch|text|full-index)/,
  },
  show: {
    operands: 'text',
    flags: 'pusbwWzaRMcm',
    values: 'nU',
    numeric: true,
    long: `${COMPARING} ${WALKING}`,
    shows: 'always',
    hides: HIDING,
    isHistory: true,
  },
  blame: {
    operands: 'text',
    flags: 'wlstfnpebMC',
    values: 'L',
    long: 'porcelain line-porcelain date= show-name show-number show-email root abbrev=',
    shows: 'never',
  },
  'ls-files': {
    ...LOOK,
    flags: 'cdmostuz',
    long:
      'cached deleted modified others ignored stage exclude-standard full-name error-unmatch directory deduplicate ' +
      'eol',
  },
  'rev-parse': {
    ...LOOK,
    flags: 'q',
    long:
      'abbrev-ref abbrev-ref= short short= verify quiet show-toplevel git-dir absolute-git-dir git-common-dir ' +
      'is-inside-work-tree is-inside-git-dir ' +
      ('is-bare-repository show-prefix show-cdup symbolic symbolic-full-name all branches tags remotes revs-only ' +
        'no-revs'),
  },
  shortlog: {...LOOK, flags: 'sne', numeric: true, long: `summary numbered email ${WALKING}`},
  describe: {...LOOK, long: 'all tags always dirty long abbrev= match= exact-match contains first-parent'},
  'merge-base': {...LOOK, flags: 'a', long: 'all is-ancestor fork-point octopus'},
  'rev-list': {...LOOK, flags: 'n', numeric: true, long: `count ${WALKING}`},
  branch: {
    ...LOOK,
    flags: 'avrl',
    long: 'all list show-current verbose remotes merged no-merged contains sort= format= column no-column',
  },
  remote: {...LOOK, flags: 'v', long: 'verbose'},
  tag: {...LOOK, flags: 'ln', long: 'list sort= format= contains merged no-merged'},
  worktree: {...LOOK, flags: 'v', long: 'porcelain verbose'},
  stash: LOOK,
  'cat-file': {operands: 'text', flags: 'te', shows: 'never'},
};
