import type {Duplex} from 'node:stream';
import {FrameReader, writeFrame} from './frames.js';
import {Peer} from './peer.js';

interface Ends {
  answer(method: string, params: readonly unknown[]): unknown;
  /** The other side sent what no peer sends, or reads nothing any more. */
  fault(error: Error): void;
}

/** Bytes that may wait for the other side to read them. */
const MOST_WAITING = 64 * 2 ** 20;

/** A peer over a stream. */
export function connect(stream: Duplex, {answer, fault}: Ends): Peer {
  const reader = new FrameReader();
  let isOver = false;
  const end = (error: unknown): void => {
    isOver = true;
    fault(error instanceof Error ? error : new Error(String(error)));
  };
  const peer = new Peer({
    answer,
    send(message) {
      const frame = writeFrame(message);
      if (isOver || stream.destroyed) return;
      stream.write(frame);
      if (stream.writableLength > MOST_WAITING) end(new Error('It does not read what it is sent.'));
    },
  });
  stream.on('error', () => stream.destroy());
  stream.on('data', (chunk: Buffer) => {
    if (isOver) return;
    try {
      for (const message of reader.push(chunk)) peer.receive(message);
    } catch (error) {
      end(error);
    }
  });
  return peer;
}
