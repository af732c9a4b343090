import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {isTable} from '../config/is-table.js';
import type {Credential} from './credential.js';

/** What Gemini CLI has kept for an address. A file that cannot be read counts as none: it is not ours. */
export async function readReferenceTokens(home: string, address: string): Promise<Credential | undefined> {
  const text = await readText(join(home, '.gemini', 'mcp-oauth-tokens.json')).catch(() => '[]');
  const entries = parse(text).filter(isTable);
  const found = entries.find(({mcpServerUrl}) => isSame(mcpServerUrl, address));
  const token = found?.['token'];
  if (!found || !isTable(token) || typeof token['accessToken'] !== 'string') return undefined;
  const {accessToken, refreshToken, tokenType, scope, expiresAt} = token;
  return {
    tokens: {
      access_token: accessToken,
      token_type: typeof tokenType === 'string' ? tokenType : 'Bearer',
      ...(typeof refreshToken === 'string' ? {refresh_token: refreshToken} : {}),
      ...(typeof scope === 'string' ? {scope} : {}),
      ...(typeof expiresAt === 'number' ? {expiresAt: new Date(expiresAt).toISOString()} : {}),
    },
    // It keeps one client for an address, and does not say for which authorization server.
    ...(typeof found['clientId'] === 'string' ? {clients: {'': {client_id: found['clientId']}}} : {}),
  };
}

function isSame(url: unknown, address: string): boolean {
  return typeof url === 'string' && URL.canParse(url) && new URL(url).href === address;
}

function parse(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
