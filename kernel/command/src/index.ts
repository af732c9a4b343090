// What commands of plugins use. Programs that host commands use the types of their host.
export type * from './command-host.js';
export {KernelCommand, type Style} from './kernel-command.js';
