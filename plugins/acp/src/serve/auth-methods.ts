import {KernelError} from '@gemini-kernel/kernel';
import type {ClientCapabilities, InitializeResponse} from '#sdk';

/** As Gemini CLI names it. */
const API_KEY = 'gemini-api-key';
const TERMINAL = 'terminal';

/** How a person can give the program what a model needs. */
export function authMethods({auth}: ClientCapabilities): NonNullable<InitializeResponse['authMethods']> {
  return [
    {
      id: API_KEY,
      name: 'Gemini API key',
      description: 'Set GEMINI_API_KEY for the program, or send the key as _meta["api-key"].',
    },
    ...(auth?.terminal
      ? [
          {
            type: 'terminal' as const,
            id: TERMINAL,
            name: 'In a terminal',
            description: 'Start a conversation in a terminal, which says what is missing.',
            args: ['chat'],
          },
        ]
      : []),
  ];
}

/** Keeps a key for the sessions of this connection, in memory only. Throws KernelError ACP_REQUEST_INVALID. */
export function authenticate(
  {methodId, _meta}: {readonly methodId: string; readonly _meta?: Readonly<Record<string, unknown>> | null},
  variables: Record<string, string>,
): void {
  if (methodId === TERMINAL) return;
  if (methodId !== API_KEY)
    throw new KernelError('ACP_REQUEST_INVALID', `There is no authentication method ${JSON.stringify(methodId)}.`, {
      hint: `It is ${API_KEY}.`,
    });
  const key = _meta?.['api-key'];
  if (key === undefined) return;
  if (typeof key !== 'string' || !/^[\x21-\x7E]{1,512}$/.test(key))
    throw new KernelError('ACP_REQUEST_INVALID', 'The key in _meta["api-key"] is not a text of printable characters.');
  variables['GEMINI_API_KEY'] = key;
}
