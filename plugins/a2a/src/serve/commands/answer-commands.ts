import type {ServerResponse} from 'node:http';
import {Writable} from 'node:stream';
import {isKernelError} from '@gemini-kernel/kernel';
import type {Grant} from '../../tokens/tokens.js';
import {openPlace} from '../open-place.js';
import {sendJson} from '../send.js';
import type {Setup} from '../setup.js';
import {findServed, listServed, type ServedCommand} from './served-commands.js';

const MOST = 1024 * 1024;

interface Asked {
  readonly verb: string;
  readonly url: string;
  readonly body: string;
  readonly grant: Grant;
}

/** Answers `/listCommands` and `/executeCommand` as Gemini CLI does. Returns whether the address was one of these. */
export async function answerCommands(asked: Asked, response: ServerResponse, setup: Setup): Promise<boolean> {
  const {verb, url, body, grant} = asked;
  const {catalog} = setup.kernel;
  if (verb === 'GET' && url === '/listCommands') sendJson(response, {commands: listServed(catalog)});
  else if (verb === 'POST' && url === '/executeCommand') {
    const wish = readWish(body);
    const found = typeof wish === 'string' ? undefined : findServed(catalog).find(({name}) => name === wish.command);
    if (typeof wish === 'string') fail(response, 400, wish);
    else if (!found) fail(response, 404, `Command not found: ${wish.command.slice(0, 100)}`);
    else if (wish.args.length > 0) fail(response, 400, `${found.name} takes no arguments.`);
    else await execute(found, {grant, response, setup});
  } else return false;
  return true;
}

interface Around {
  readonly grant: Grant;
  readonly response: ServerResponse;
  readonly setup: Setup;
}

async function execute({name, words}: ServedCommand, {grant, response, setup}: Around): Promise<void> {
  const place = openPlace(setup, grant);
  const printed = new Printed();
  try {
    await setup.slash(words, place, printed);
    sendJson(response, {name, data: printed.text});
  } catch (error) {
    if (!isKernelError(error)) throw error;
    fail(response, 500, error.message);
  } finally {
    await place.close();
  }
}

/** What a command prints, up to a limit. */
class Printed extends Writable {
  text = '';

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text = (this.text + chunk.toString()).slice(0, MOST);
    done();
  }
}

function readWish(body: string): {readonly command: string; readonly args: readonly unknown[]} | string {
  const {command, args = []} = parse(body);
  if (typeof command !== 'string' || command.trim() === '') return 'Invalid "command" field.';
  return Array.isArray(args) ? {command: command.trim(), args} : '"args" field must be an array.';
}

function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function fail(response: ServerResponse, status: number, error: string): void {
  sendJson(response, {error}, {status});
}
