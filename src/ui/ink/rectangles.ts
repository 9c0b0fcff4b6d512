/**
 * Replaces Yoga. Parley's components say where each box is and how large (`ui/layout`), so nothing is left to
 * compute: a box is where its `left` and `top` say and as large as its `width` and `height` say, or as its content. All other
 * styles of Ink are ignored. Yoga is WebAssembly, which takes time and memory at each start (`build/package-patches.ts`).
 */

interface Dimensions {
  readonly width: number;
  readonly height: number;
}

type Measure = (width: number, widthMode: number) => Dimensions;

/** The numbers are those of Yoga; only these are compared. */
const enums = {
  DISPLAY_FLEX: 0,
  DISPLAY_NONE: 1,
  EDGE_LEFT: 0,
  EDGE_TOP: 1,
  MEASURE_MODE_UNDEFINED: 0,
} as const;

class RectangleNode {
  readonly #children: RectangleNode[] = [];
  readonly #position = new Map<number, number>();
  #width: number | undefined;
  #height: number | undefined;
  #display: number = enums.DISPLAY_FLEX;
  #measure: Measure | undefined;
  /** What `#measure` returned, until the text changes. */
  #measured: Dimensions | undefined;
  #computed: Dimensions = {width: 0, height: 0};

  insertChild(child: RectangleNode, index: number): void {
    this.#children.splice(index, 0, child);
  }

  removeChild(child: RectangleNode): void {
    const index = this.#children.indexOf(child);
    if (index !== -1) this.#children.splice(index, 1);
  }

  getChildCount(): number {
    return this.#children.length;
  }

  setWidth(width: number): void {
    this.#width = width;
  }

  setWidthAuto(): void {
    this.#width = undefined;
  }

  setHeight(height: number): void {
    this.#height = height;
  }

  setHeightAuto(): void {
    this.#height = undefined;
  }

  setPosition(edge: number, value: number | undefined): void {
    this.#position.set(edge, value ?? 0);
  }

  setDisplay(display: number): void {
    this.#display = display;
  }

  getDisplay(): number {
    return this.#display;
  }

  setMeasureFunc(measure: Measure): void {
    this.#measure = measure;
  }

  unsetMeasureFunc(): void {
    this.#measure = undefined;
  }

  markDirty(): void {
    this.#measured = undefined;
  }

  /** Computes the sizes of this box and of all boxes in it. */
  calculateLayout(): void {
    this.#layOut();
  }

  getComputedLeft(): number {
    return this.#position.get(enums.EDGE_LEFT) ?? 0;
  }

  getComputedTop(): number {
    return this.#position.get(enums.EDGE_TOP) ?? 0;
  }

  getComputedWidth(): number {
    return this.#computed.width;
  }

  getComputedHeight(): number {
    return this.#computed.height;
  }

  getComputedLayout() {
    return {left: this.getComputedLeft(), top: this.getComputedTop(), ...this.#computed};
  }

  getComputedBorder(): number {
    return 0;
  }

  getComputedPadding(): number {
    return 0;
  }

  /** A text in a box of a given size is as large as the box: it is not measured. */
  #layOut(room?: Dimensions): void {
    if (this.#measure !== undefined && room !== undefined) {
      this.#computed = room;
      return;
    }
    let [width, height] = [0, 0];
    const inside =
      this.#width === undefined || this.#height === undefined ? undefined : {width: this.#width, height: this.#height};
    for (const child of this.#children) {
      child.#layOut(inside);
      width = Math.max(width, child.getComputedLeft() + child.#computed.width);
      height = Math.max(height, child.getComputedTop() + child.#computed.height);
    }
    if (this.#measure !== undefined) {
      this.#measured ??= this.#measure(Number.NaN, enums.MEASURE_MODE_UNDEFINED);
      ({width, height} = this.#measured);
    }
    this.#computed = {width: this.#width ?? width, height: this.#height ?? height};
  }
}

/** The methods of Yoga that Ink calls and that change nothing here. */
const ignored = [
  ...[
    'free',
    'freeRecursive',
    'setPositionType',
    'setPositionPercent',
    'setMargin',
    'setPadding',
    'setBorder',
    'setGap',
  ],
  ...['setFlexGrow', 'setFlexShrink', 'setFlexWrap', 'setFlexDirection', 'setFlexBasis', 'setFlexBasisPercent'],
  ...['setFlexBasisAuto', 'setAlignItems', 'setAlignSelf', 'setAlignContent', 'setJustifyContent', 'setAspectRatio'],
  ...['setWidthPercent', 'setHeightPercent', 'setMinWidth', 'setMinHeight', 'setMinHeightPercent', 'setMaxWidth'],
  ...['setMaxHeight', 'setMaxHeightPercent'],
];
for (const name of ignored) Object.defineProperty(RectangleNode.prototype, name, {value: () => {}});

/** The part of Yoga's interface that Ink uses. */
export const rectangles = {...enums, Node: {create: () => new RectangleNode()}};
