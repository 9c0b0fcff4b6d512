/** A JSON text, in pieces if it is long. */
export type JsonBody = string | readonly (string | Buffer)[];

/** The members of a success response as JSON text that is already serialized. */
export class JsonText {
  /** Without braces; may be empty. */
  readonly members: JsonBody;
  constructor(members: JsonBody) {
    this.members = members;
  }

  /** Returns the members of an object, some of which may be encoded. */
  static of(body: Readonly<Record<string, unknown>>): JsonText {
    const plain: [string, unknown][] = [];
    const pieces: (string | Buffer)[] = [];
    for (const [name, value] of Object.entries(body)) {
      if (value instanceof EncodedJson) pieces.push(`,${JSON.stringify(name)}:`, ...value.pieces);
      else plain.push([name, value]);
    }
    const members = JSON.stringify(Object.fromEntries(plain)).slice(1, -1);
    return new JsonText(pieces.length === 0 ? members : [members, ...pieces]);
  }
}

/** A value whose JSON is already encoded, as pieces that follow each other. */
export class EncodedJson {
  readonly pieces: readonly Buffer[];
  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces;
  }
}
