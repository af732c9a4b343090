import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  NEOVIM_UNREACHABLE: {when: 'No Neovim listens at the given address, or no address was given.', exit: 42},
  NEOVIM_UNFIT: {when: 'The program at the address is not a Neovim, or is too old.'},
  NEOVIM_FILE_UNWRITABLE: {when: 'The file that starts the companion with Neovim cannot be written.'},
} as const satisfies ErrorTable;
