import type {ServerPrompt, ServerResource} from '../contract.js';
import {isTable} from '../config/is-table.js';
import type {OpenServer} from '../connection/open-server.js';
import {listPages, type ListOptions} from './list-remote.js';

/** What a server offers beside tools. */
export interface Extras {
  readonly prompts: readonly Omit<ServerPrompt, 'server'>[];
  readonly resources: readonly Omit<ServerResource, 'server'>[];
  /** How to use it, in its own words. */
  readonly instructions: string;
  /** Whether every list could be asked for; what is not whole is not remembered. */
  readonly isWhole: boolean;
}

type Table = Readonly<Record<string, unknown>>;

export const noExtras: Extras = {prompts: [], resources: [], instructions: '', isWhole: true};
const MOST_INSTRUCTIONS = 20_000;

/** Asks a server for them. A list that it cannot give is empty: its tools count all the same. */
export async function listExtras(server: OpenServer, options: ListOptions): Promise<Extras> {
  const {prompts, resources} = server.client.getServerCapabilities() ?? {};
  let isWhole = true;
  const list = async (isOffered: unknown, method: string, key: string): Promise<readonly Table[]> => {
    if (!isOffered) return [];
    return listPages(server, {method, key}, options).catch((error: unknown) => {
      // A server without templates need not know the method.
      if (!(error instanceof server.sdk.ProtocolError)) isWhole = false;
      return [];
    });
  };
  const [named, fixed, templates] = await Promise.all([
    list(prompts, 'prompts/list', 'prompts'),
    list(resources, 'resources/list', 'resources'),
    list(resources, 'resources/templates/list', 'resourceTemplates'),
  ]);
  return {
    prompts: named.flatMap(readPrompt),
    resources: [
      ...fixed.flatMap((one) => readResource(one, one['uri'], false)),
      ...templates.flatMap((one) => readResource(one, one['uriTemplate'], true)),
    ],
    instructions: (server.client.getInstructions() ?? '').slice(0, MOST_INSTRUCTIONS),
    isWhole,
  };
}

/** What is remembered of them, read as carefully as what a server says. */
export function readExtras(value: unknown): Extras {
  if (!isTable(value)) return noExtras;
  const {prompts, resources, instructions} = value;
  const tables = (list: unknown): readonly Table[] => (Array.isArray(list) ? list.filter(isTable) : []);
  return {
    prompts: tables(prompts).flatMap(readPrompt),
    resources: tables(resources).flatMap((one) => readResource(one, one['uri'], one['isTemplate'] === true)),
    instructions: typeof instructions === 'string' ? instructions : '',
    isWhole: true,
  };
}

function readPrompt({name, title, description, arguments: given}: Table): Extras['prompts'] {
  if (typeof name !== 'string' || name.trim() === '') return [];
  const declared = Array.isArray(given) ? given.filter(isTable) : [];
  return [
    {
      name,
      description: textOf(description) ?? textOf(title) ?? '',
      arguments: declared.flatMap((one) => {
        const own = textOf(one['description']);
        if (typeof one['name'] !== 'string' || one['name'] === '') return [];
        return [
          {
            name: one['name'],
            isRequired: (one['required'] ?? one['isRequired']) === true,
            ...(own === undefined ? {} : {description: own}),
          },
        ];
      }),
    },
  ];
}

function readResource(
  {name, title, description, mimeType}: Table,
  uri: unknown,
  isTemplate: boolean,
): Extras['resources'] {
  if (typeof uri !== 'string' || uri === '') return [];
  const texts = {description: textOf(description), mimeType: textOf(mimeType)};
  return [
    {
      uri,
      name: textOf(title) ?? textOf(name) ?? uri,
      isTemplate,
      ...(texts.description === undefined ? {} : {description: texts.description}),
      ...(texts.mimeType === undefined ? {} : {mimeType: texts.mimeType}),
    },
  ];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
