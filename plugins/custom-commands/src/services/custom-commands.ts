import {provide} from '@gemini-kernel/kernel';
import type {CustomCommands} from '../contract.js';
import {CommandFiles} from '../files/command-files.js';
import {commandFolders} from '../files/command-folders.js';
import {shellOf} from '../template/shell-kind.js';

/** The custom commands of a place. */
export default provide('custom-commands', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list', 'reload'],
  create(context): CustomCommands {
    const files = new CommandFiles(shellOf(context.environment));
    const list: CustomCommands['list'] = async () => files.list(await commandFolders(context));
    return {
      list,
      reload() {
        files.forget();
        return list();
      },
    };
  },
});
