import type {Configured} from './config/read-servers.js';
import {showTarget} from './config/server-config.js';
import type {ServerInfo} from './contract.js';
import type {OfferMemory} from './offers/offer-memory.js';
import {offerTools} from './offers/offered-tools.js';

/** A configured server as lists show it, with what is remembered of it. */
export async function describeServer(
  {name, origin, config, leftOut}: Configured,
  memory: OfferMemory,
): Promise<ServerInfo> {
  const state = {name, origin, ...(leftOut ? {leftOut} : {})};
  if (!config) return {...state, transport: 'none', target: '', isTrusted: false};
  const {description, isTrusted, way} = config;
  const found = await memory.read(config);
  const tools = found ? offerTools(config, found.tools).tools.length : 0;
  return {
    ...state,
    transport: way.kind,
    target: showTarget(config),
    isTrusted,
    ...(description === undefined ? {} : {description}),
    ...(found ? {remembered: {tools, at: found.at, server: found.server}} : {}),
  };
}
