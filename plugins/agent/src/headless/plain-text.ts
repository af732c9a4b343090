const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-~])/g;
const OPEN = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b]*\u001b?|[ -/]*)$/;
/**
 * Control characters, except tab, line feed and a carriage return before one, and marks that change the writing
 * direction.
 */
const CONTROLS =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g;
/** No legitimate sequence is longer. */
const LONGEST = 4096;

/** Removes terminal control sequences from a text that arrives in chunks of any size. */
export class PlainText {
  #held = '';

  /** The next chunk without control sequences; a possible start of a sequence is held back. */
  push(text: string): string {
    const whole = this.#held + text;
    const open = OPEN.exec(whole);
    const end = whole.endsWith('\r') ? whole.length - 1 : whole.length;
    const cut = open && open[0].length < LONGEST ? open.index : end;
    this.#held = whole.slice(cut);
    return strip(whole.slice(0, cut));
  }

  /** The held-back text. */
  end(): string {
    const rest = strip(this.#held);
    this.#held = '';
    return rest;
  }
}

function strip(text: string): string {
  return text.replace(SEQUENCES, '').replace(CONTROLS, '');
}
