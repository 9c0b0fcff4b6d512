import type {SettingValue} from '#state/actions/settings.ts';
import type {AccountState} from '#state/state.ts';
import type {SettingInput} from './account-setting-table.ts';

export type SettingChoice = readonly [value: SettingValue, label: string];

/** The languages that Zulip is translated into; no response of the server lists them. */
const languages =
  'ar be bg bqi ca cs cy da de el en en-gb es fa fi fr gl gu hi hu id it ja ko lt lv mn nl no pl pt pt-br pt-pt ro ru si sr sv ta tr uk vi zh-hans zh-hant zh-tw';

/** Returns the values to choose from; none for switches and numbers. */
export function settingChoices(input: SettingInput, {settings}: AccountState): readonly SettingChoice[] {
  switch (input.kind) {
    case 'choice':
      return input.choices;
    case 'sounds':
      return [...(settings.availableNotificationSounds ?? []), 'none'].map((name) => [name, name]);
    case 'languages':
      return languages.split(' ').map((code) => [code, languageName(code)]);
    case 'zones':
      return [['', 'not set'], ...Intl.supportedValuesOf('timeZone').map((zone): SettingChoice => [zone, zone])];
    default:
      return [];
  }
}

/** Returns a value as the list shows it. A value that is not among the choices is shown as it is. */
export function settingValueText(input: SettingInput, value: SettingValue): string {
  switch (input.kind) {
    case 'switch':
      return value === true ? 'on' : 'off';
    case 'number':
      return `${value} ${input.unit}`;
    case 'choice':
      return input.choices.find(([one]) => one === value)?.[1] ?? String(value);
    case 'languages':
      return languageName(String(value));
    default:
      return value === '' ? 'not set' : String(value);
  }
}

function languageName(code: string): string {
  try {
    const [own, english] = [code, 'en'].map((tag) => new Intl.DisplayNames([tag], {type: 'language'}).of(code) ?? code);
    return own === english ? `${own} (${code})` : `${own}, ${english} (${code})`;
  } catch {
    // Not a code of a language.
    return code;
  }
}
