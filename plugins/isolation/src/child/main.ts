import {Socket} from 'node:net';
import {argv, exit} from 'node:process';
import {connect} from '../wire/connect.js';
import {Served} from './served.js';

/** The first program of a plugin's process: answers what the host asks over one descriptor, until the host has gone. */
function serve(): void {
  const socket = new Socket({fd: Number(argv[2]), readable: true, writable: true});
  const served = new Served((watched) => void peer.request('watched', [watched]).catch(() => undefined));
  const peer = connect(socket, {
    answer: (method, params) => served.answer(method, params),
    fault: () => exit(1),
  });
  socket.on('close', () => exit(0));
}

// eslint-disable-next-line house/no-work-on-import -- It is a program.
serve();
