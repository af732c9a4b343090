/** Runs what it is given one after the other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  async take<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
