import type {PersonUi} from '@gemini-kernel/plugin-agent/contract';

declare module '@gemini-kernel/kernel' {
  interface Services {
    'ui:terminal': PersonUi;
  }
}
