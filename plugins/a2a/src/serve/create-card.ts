import type {FoundSkills} from '@gemini-kernel/plugin-skills/contract';
import type {AgentCard} from '#sdk';
import {discoveryOf} from '../tokens/openid-issuers.js';
import type {Grant} from '../tokens/tokens.js';
import {DEVELOPMENT_TOOL} from './developer/uri.js';
import type {Setup} from './setup.js';

const BEARER = 'bearer';
const EXTENSION = {
  uri: DEVELOPMENT_TOOL,
  description: 'Calls of tools as typed objects, and questions about them with choices.',
  required: false,
};

interface Known {
  readonly skills?: readonly Skill[];
  /** Of callers that show who they are in another way than by a token of this server. */
  readonly admitted?: readonly Grant[];
}

/** What everyone may know of the server: where it is, and how a caller shows who it is. */
export function createCard({sdk, version}: Setup, url: string, {skills = [], admitted = []}: Known = {}): AgentCard {
  const schemes = {
    [BEARER]: {httpAuthSecurityScheme: {scheme: 'bearer', description: 'A token of `gemini a2a token create`.'}},
    ...schemesOf(admitted),
  };
  return sdk.AgentCard.fromJSON({
    name: 'gemini',
    description: 'Reads, searches and changes the code in a folder, and runs commands there, as its rules allow.',
    version,
    supportedInterfaces: [
      {url, protocolBinding: 'JSONRPC', protocolVersion: '1.0'},
      {url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0'},
      {url, protocolBinding: 'JSONRPC', protocolVersion: '0.3'},
      {url, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3'},
    ],
    capabilities: {streaming: true, pushNotifications: true, extendedAgentCard: true, extensions: [EXTENSION]},
    securitySchemes: schemes,
    // Any one of them.
    securityRequirements: Object.keys(schemes).map((name) => ({schemes: {[name]: {list: []}}})),
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [CODING, ...skills],
  });
}

function schemesOf(admitted: readonly Grant[]): Readonly<Record<string, object>> {
  const issuers = [...new Set(admitted.flatMap(({openid}) => (openid ? [openid.issuer] : [])))];
  const openid = issuers.map((issuer, at): [string, object] => [
    `openid${at === 0 ? '' : at + 1}`,
    {openIdConnectSecurityScheme: {openIdConnectUrl: discoveryOf(issuer)}},
  ]);
  const byCertificate = admitted.some(({certificate}) => certificate !== undefined);
  return {...Object.fromEntries(openid), ...(byCertificate ? {certificate: {mtlsSecurityScheme: {}}} : {})};
}

/**
 * What a client of protocol 0.3 looks for in a card, beside what that of 1.0 does. One that names its version gets the
 * schemes of 0.3 too, which have the same key and another form.
 */
export function earlierCard(version: unknown, url: string): object {
  const additionalInterfaces = ['JSONRPC', 'HTTP+JSON'].map((transport) => ({url, transport}));
  const address = {url, preferredTransport: 'JSONRPC', additionalInterfaces, protocolVersion: '0.3.0'};
  const isEarlier = typeof version === 'string' && version.startsWith('0.');
  const scheme = {type: 'http', scheme: 'bearer', description: 'A token of `gemini a2a token create`.'};
  return {
    ...address,
    security: [{[BEARER]: []}],
    supportsAuthenticatedExtendedCard: true,
    ...(isEarlier ? {securitySchemes: {[BEARER]: scheme}} : {}),
  };
}

interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
}

const CODING: Skill = {
  id: 'code_generation',
  name: 'Work on code',
  description: 'Answers questions about the code of a folder, and changes it.',
  tags: ['code'],
};

/** The skills that are installed, for those who have a token. */
export function describeSkills({skills}: FoundSkills): readonly Skill[] {
  return skills
    .filter(({enabled}) => enabled)
    .map(({name, description}) => ({id: `skill-${name}`, name, description, tags: ['skill']}));
}
