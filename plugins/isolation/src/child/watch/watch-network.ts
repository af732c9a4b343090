import {subscribe} from 'node:diagnostics_channel';
import {errorMonitor, type EventEmitter} from 'node:events';
import type {Noted} from './noted.js';

/** What a connection ends with where there is no network, and no name can be looked up. */
const WITHOUT = ['ENETUNREACH', 'EHOSTUNREACH', 'EAI_AGAIN', 'EACCES', 'EPERM', 'ERR_ACCESS_DENIED'];

/** Notes where connections are tried past the exit, which the system does not let through. The exit tells the rest. */
export function watchNetwork(noted: Noted): void {
  subscribe('net.client.socket', (message) => {
    const {socket} = message as {readonly socket: EventEmitter};
    socket.once(errorMonitor, (error: NodeJS.ErrnoException & Place) => {
      const host = error.hostname ?? error.address;
      if (WITHOUT.includes(String(error.code)) && host !== undefined)
        noted.add(`net:${host}${error.port === undefined ? '' : `:${error.port}`}`, 'refused');
    });
  });
}

interface Place {
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}
