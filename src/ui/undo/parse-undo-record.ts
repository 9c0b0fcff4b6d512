import {isReversibleAction} from '#state/pending-changes/pending-change.ts';
import type {RequestStep, UndoRecord, UndoStep} from '#ui/core/undo-record.ts';
import {parseSnooze} from '#ui/inbox/snooze/snooze.ts';

/** The problem of an action that only the program run that did it could undo, or that a newer Parley saved. */
const restartedProblem = 'Cannot be undone after a restart of Parley';

/** Parses saved records; leaves out what does not parse. */
export function parseUndoRecords(value: unknown): readonly UndoRecord[] {
  return Array.isArray(value) ? value.flatMap((one) => parseUndoRecord(one)) : [];
}

function parseUndoRecord(value: unknown): readonly UndoRecord[] {
  if (!isObject(value) || typeof value.label !== 'string' || typeof value.at !== 'number') return [];
  const {label, at} = value;
  const steps = Array.isArray(value.steps) ? value.steps.flatMap(parseUndoStep) : [];
  const problem = textFrom(value.problem) ?? (steps.length === 0 ? `${restartedProblem}: ${label}` : undefined);
  const near = Array.isArray(value.near) ? value.near.filter((id) => typeof id === 'number') : undefined;
  const [said, from, place] = [textFrom(value.said), textFrom(value.from), textFrom(value.place)];
  return [{label, said, at, keys: stringsFrom(value.keys), near, from, place, steps, problem}];
}

/** Only Parley writes these entries, so the kind decides, and only critical fields are checked. */
function parseUndoStep(value: unknown): readonly UndoStep[] {
  if (!isObject(value)) return [];
  switch (value.kind) {
    case 'deed': {
      const near = typeof value.near === 'number' ? value.near : undefined;
      return isReversibleAction(value.inverse) ? [{kind: 'deed', inverse: value.inverse, near}] : [];
    }
    case 'later': {
      if (!Array.isArray(value.before)) return [];
      const since = typeof value.since === 'number' ? value.since : undefined;
      return [{kind: 'later', keys: stringsFrom(value.keys), before: value.before.flatMap(parseSnooze), since}];
    }
    case 'sent':
      return typeof value.id === 'string' ? [{kind: 'sent', id: value.id}] : [];
    case 'edit':
    case 'move':
    case 'widget':
      return typeof value.messageId === 'number' ? [value as unknown as RequestStep] : [];
    default:
      return [];
  }
}

function textFrom(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function stringsFrom(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
