import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  NEOVIM_UNREACHABLE: {when: 'No Neovim listens at the address that was given, or none was given.', exit: 42},
  NEOVIM_UNFIT: {when: 'Something listens there that is no Neovim, or one that is too old.'},
  NEOVIM_FILE_UNWRITABLE: {when: 'The file that starts the companion with Neovim cannot be written.'},
} as const satisfies ErrorTable;
