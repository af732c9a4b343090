import ExtensionsDisable from './disable.js';

export default class ExtensionsEnable extends ExtensionsDisable {
  static override summary = 'Use an extension again.';

  protected override readonly isOn = true;
}
