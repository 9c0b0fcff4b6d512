import {channelName, distinctUserName} from '#state/selectors/names/names.ts';
import type {FormEdit, FormValue, FormValues, NumberFormField, ValueFormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {momentText} from '#ui/format/moment-text.ts';
import {isoWithOffset, parseMoment, parsePastDay} from '#ui/format/parse-moment.ts';
import {groupLabel, groupSettingText} from './group-setting-text.ts';

/** Whether the user types the value of the field. */
export function isTypedField({kind}: ValueFormField): boolean {
  return kind === 'text' || kind === 'number' || kind === 'date' || kind === 'color';
}

/** Returns the text to edit for a value of a typed field. */
export function editableText({display}: Frame, field: ValueFormField, value: FormValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (field.kind === 'date' && typeof value === 'number')
    return isoWithOffset(value, display.zone).slice(0, 16).replace('T', ' ');
  return String(value);
}

/** Returns the value of a field as text to show; empty when there is none. */
export function shownText(frame: Frame, field: ValueFormField, value: FormValue | undefined): string {
  const {account} = frame;
  switch (field.kind) {
    case 'switch':
      return value === true ? 'on' : 'off';
    case 'choice':
      return field.choices.find((choice) => choice.value === value)?.label ?? (value === null ? '' : String(value));
    case 'people':
      return idsOf(value)
        .map((id) => distinctUserName(account, id))
        .join(', ');
    case 'channels':
      return idsOf(value)
        .map((id) => `#${channelName(account, id)}`)
        .join(', ');
    case 'groups':
      return idsOf(value)
        .map((id) => groupLabel(account, id))
        .join(', ');
    case 'groupSetting':
      return groupSettingText(account, value);
    default:
      return editableText(frame, field, value);
  }
}

export function idsOf(value: FormValue | undefined): readonly number[] {
  return Array.isArray(value) ? value : [];
}

/** Understands the text of a typed field. `before` stays the value while the text makes no sense. */
export function readTypedText(frame: Frame, field: ValueFormField, text: string, before: FormValue): FormEdit {
  switch (field.kind) {
    case 'number':
      return readNumber(field, text, before);
    case 'date': {
      if (text.trim() === '') return {text, value: null};
      const read = field.direction === 'past' ? parsePastDay : parseMoment;
      const at = read(text, frame.minute, frame.display.zone);
      const example = field.direction === 'past' ? '3 weeks ago, 12 May, 2026-05-12' : 'tomorrow 14:00, in 2 weeks';
      return at === undefined ? {text, value: before, problem: `Write a time such as ${example}`} : {text, value: at};
    }
    case 'color': {
      const color = readColor(text);
      return color === undefined
        ? {text, value: before, problem: 'Write a color such as #76ce90'}
        : {text, value: color};
    }
    case 'text':
      return {text, value: field.isMultiline === true || field.isSecret === true ? text : text.trim()};
    default:
      return {value: before};
  }
}

function readNumber({min, max}: NumberFormField, typed: string, before: FormValue): FormEdit {
  const text = typed.trim();
  if (text === '') return {text: typed, value: null};
  if (!/^-?\d{1,15}$/.test(text)) return {text: typed, value: before, problem: 'Write a whole number'};
  const value = Number(text);
  const isIn = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  return isIn ? {text: typed, value} : {text: typed, value: before, problem: rangeText(min, max)};
}

function rangeText(min: number | undefined, max: number | undefined): string {
  if (max === undefined) return `At least ${min}`;
  return min === undefined ? `At most ${max}` : `From ${min} to ${max}`;
}

function readColor(text: string): string | undefined {
  const [, hex = ''] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim()) ?? [];
  if (hex === '') return undefined;
  const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  return `#${full.toLowerCase()}`;
}

/** Returns why a value cannot be saved, by the rules of its field. */
export function valueProblem(frame: Frame, field: ValueFormField, values: FormValues): string | undefined {
  const value = values[field.key];
  switch (field.kind) {
    case 'text': {
      const text = String(value ?? '');
      if (field.isRequired === true && text.trim() === '') return `${field.label} is missing`;
      const excess = [...text].length - (field.maxLength ?? Infinity);
      if (excess > 0) return `${countedNoun(excess, 'character')} too long`;
      return field.validate?.(text, values, frame);
    }
    case 'number':
    case 'date':
      if (value === null && field.emptyText === undefined) return `${field.label} is missing`;
      return field.validate?.(typeof value === 'number' ? value : null, values, frame);
    case 'people':
    case 'groups':
    case 'channels':
      return field.validate?.(idsOf(value), values, frame);
    default:
      return undefined;
  }
}

/** Returns how a typed text was understood, where that is not obvious: the date. */
export function understoodText(frame: Frame, field: ValueFormField, value: FormValue | undefined): string | undefined {
  return field.kind === 'date' && typeof value === 'number' ? momentText(frame, value) : undefined;
}
