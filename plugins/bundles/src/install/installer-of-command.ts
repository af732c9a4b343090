import {KernelError, type Form, type FormAnswer} from '@gemini-kernel/kernel';
import type {CommandHost} from '@gemini-kernel/command';
import type {ConsentMeans} from './judge/ask-consent.js';
import type {Installer, InstallScope} from './source/installer.js';
import {openInstaller} from './source/open-installer.js';
import type {Surroundings} from '../surroundings.js';

/** What a command has access to and may not expose. */
export interface CommandParts {
  readonly environment: Surroundings;
  readonly host: Pick<CommandHost, 'catalog' | 'signal'>;
  /** Whether a program reads the output. */
  readonly isJson: boolean;
  readonly isTrusted?: boolean;
  /** Whether a plugin will run in a process of its own. */
  tierOf?: NonNullable<ConsentMeans['tierOf']>;
  /** Shows a form to the person. */
  ask(form: Form): Promise<FormAnswer>;
  /** A line on standard output. */
  log(text: string): void;
  /** A line on standard error. */
  logToStderr(text: string): void;
}

export interface CommandFlags {
  readonly project?: boolean;
  readonly system?: boolean;
  readonly registry?: string | undefined;
  readonly verbose?: boolean;
  readonly silent?: boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
}

/**
 * The installer that a command works with. Throws KernelError FLAGS_CONFLICT when both --project and --system are
 * given.
 */
export async function installerOfCommand(
  {environment, host, isTrusted, logToStderr}: Omit<CommandParts, 'ask' | 'isJson' | 'log'>,
  flags: CommandFlags,
): Promise<Installer> {
  const {catalog, signal} = host;
  if (flags.project && flags.system)
    throw new KernelError('FLAGS_CONFLICT', '--project and --system cannot be used together.', {
      hint: 'Use one of them.',
    });
  const scope: InstallScope = flags.system ? 'system' : flags.project ? 'project' : 'user';
  const isTold = !flags.silent && (environment.interactive || flags.verbose === true);
  const registry = flags.registry ?? environment.variables['GEMINI_NPM_REGISTRY'];
  return openInstaller({
    environment,
    catalog,
    signal,
    scope,
    registry,
    ...(isTrusted === undefined ? {} : {isTrusted}),
    tell: (sentence) => (isTold ? logToStderr(sentence) : undefined),
  });
}

/** How the person can agree to this command. A command whose output a program reads asks no questions. */
export function consentOfCommand(
  {environment, isJson, ask, log, tierOf}: Pick<CommandParts, 'environment' | 'isJson' | 'ask' | 'log' | 'tierOf'>,
  {yes = false, force = false}: CommandFlags,
): ConsentMeans {
  return {
    yes,
    force,
    ...(environment.interactive && !isJson ? {ask} : {}),
    ...(tierOf ? {tierOf} : {}),
    show: (lines) => log(lines.join('\n')),
  };
}
