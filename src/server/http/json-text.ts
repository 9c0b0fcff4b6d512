/** The members of a success response as JSON text that is already serialized. */
export class JsonText {
  /** Without braces; may be empty. */
  readonly members: string;
  constructor(members: string) {
    this.members = members;
  }
}
