import {narrowLink} from '#content/narrow-link.ts';
import type {ScriptDestination} from './chat-script.ts';
import type {DemoFile} from './demo-data.ts';
import {DemoDataError, type SourcePosition, withSourcePosition} from './demo-data-error.ts';
import type {DemoRows} from './demo-rows.ts';
import type {PlannedMessage} from './planned-messages.ts';
import {formatRelativeDate, formatRelativeInstant} from './relative-times.ts';

const wanted = /\{\{(\w+):([^}]*)\}\}/g;

/** Fills in what a text can only know when the demo is planted: `{{msg:label}}`, `{{date:+3d}}` and the like. */
export class PlaceholderFiller {
  readonly #cast: DemoRows;
  readonly #files: ReadonlyMap<string, DemoFile>;
  readonly #now: number;
  readonly #labelled = new Map<string, PlannedMessage>();

  constructor(
    cast: DemoRows,
    files: ReadonlyMap<string, DemoFile>,
    planned: readonly PlannedMessage[],
    now: number,
  ) {
    this.#cast = cast;
    this.#files = files;
    this.#now = now;
    for (const entry of planned) {
      for (const annotation of entry.message.annotations) {
        if (annotation.kind !== 'id') continue;
        if (this.#labelled.has(annotation.label)) {
          throw new DemoDataError(annotation.source, `the label “${annotation.label}” is there twice`);
        }
        this.#labelled.set(annotation.label, entry);
      }
    }
  }

  /** `before`: the message that holds the text; labels belong to earlier ones. */
  fill(text: string, source: SourcePosition, before = Number.POSITIVE_INFINITY): string {
    return text.replaceAll(wanted, (_all, word: string, value: string) =>
      this.#fill(word, value, source, before),
    );
  }

  labelledMessage(label: string, source: SourcePosition): PlannedMessage {
    const entry = this.#labelled.get(label);
    if (entry === undefined) throw new DemoDataError(source, `no message has the label “${label}”`);
    return entry;
  }

  file(name: string, source: SourcePosition): DemoFile {
    const file = this.#files.get(name);
    if (file === undefined) throw new DemoDataError(source, `there is no file “${name}”`);
    return file;
  }

  /** By the path it has as an upload. */
  fileByPath(pathId: string, source: SourcePosition): DemoFile {
    const file = [...this.#files.values()].find((candidate) => candidate.pathId === pathId);
    if (file === undefined) throw new DemoDataError(source, `nothing is uploaded at “${pathId}”`);
    return file;
  }

  #fill(word: string, value: string, source: SourcePosition, before: number): string {
    switch (word) {
      case 'msg':
        return this.#link(this.#earlier(value, source, before), source);
      case 'id':
        return String(this.#earlier(value, source, before).id);
      case 'channel': {
        const {id, name} = this.#cast.channelByKey(value, source);
        return narrowLink([{operator: 'channel', operand: id, negated: false}], () => name);
      }
      case 'user':
        return String(this.#cast.user(value, source).id);
      case 'file':
        return demoUploadPath(this.file(value, source));
      case 'time':
        return withSourcePosition(source, () => formatRelativeInstant(value, this.#now));
      case 'date':
        return withSourcePosition(source, () => formatRelativeDate(value, this.#now));
      default:
        throw new DemoDataError(source, `“{{${word}:${value}}}” stands for nothing`);
    }
  }

  #earlier(label: string, source: SourcePosition, before: number): PlannedMessage {
    const entry = this.labelledMessage(label, source);
    if (entry.id >= before) throw new DemoDataError(source, `“${label}” is not an earlier message`);
    return entry;
  }

  #link({id, conversation}: PlannedMessage, source: SourcePosition): string {
    const near = {operator: 'near', operand: id, negated: false};
    const {place} = conversation;
    const name = place.kind === 'channel' ? place.channel : undefined;
    return narrowLink([...this.#terms(place, source), near], () => name);
  }

  #terms(place: ScriptDestination, source: SourcePosition) {
    if (place.kind === 'channel') {
      const {id} = this.#cast.channel(place.channel, source);
      return [
        {operator: 'channel', operand: id, negated: false},
        {operator: 'topic', operand: place.topic, negated: false},
      ];
    }
    const ids = place.people.map((key) => this.#cast.user(key, source).id);
    return [{operator: 'dm', operand: ids, negated: false}];
  }
}

export function demoUploadPath({pathId}: DemoFile): string {
  return `/user_uploads/${pathId}`;
}
