import HooksDisable from './disable.js';

export default class HooksEnable extends HooksDisable {
  static override summary = 'Run a hook again.';

  protected override readonly isOn = true;
}
