import type {Wrapper} from './wrapper.js';

const RUNNER: Wrapper = {};

/** Subcommands that run what follows them, by both words. */
export const SUBCOMMAND_WRAPPERS: Readonly<Record<string, Wrapper>> = {
  'npm exec': {flags: 'y', values: 'p', long: 'yes package= call=', scripts: ['c', 'call']},
  'npm x': {flags: 'y', values: 'p', long: 'yes package= call=', scripts: ['c', 'call']},
  'pnpm exec': {flags: 'r', long: 'recursive parallel', joins: false},
  'pnpm dlx': {long: 'package='},
  'yarn exec': RUNNER,
  'yarn dlx': {values: 'p', flags: 'q'},
  'bundle exec': {long: 'keep-file-descriptors gemfile='},
  'poetry run': RUNNER,
  'pipenv run': RUNNER,
  'hatch run': RUNNER,
  'rye run': RUNNER,
  'pdm run': RUNNER,
  'uv run': {
    flags: 'nqsvm',
    values: 'p',
    long:
      'no-sync frozen locked isolated quiet verbose all-extras no-project python= extra= group= with= package= ' +
      'env-file= with-requirements= project= script module active no-dev dev',
  },
  'direnv exec': {operands: 1},
  'mise exec': {flags: 'y'},
  'mise x': {flags: 'y'},
  'asdf exec': RUNNER,
  'rbenv exec': RUNNER,
  'pyenv exec': RUNNER,
  'nvm exec': {operands: 1},
  'rustup run': {operands: 1, long: 'install'},
  'conda run': {values: 'np', long: 'name= prefix= no-capture-output live-stream cwd='},
  'ip netns': {operands: 2},
};
