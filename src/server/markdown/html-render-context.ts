import type {ParseContext} from '#content/parse-context.ts';

export type UploadedImage = {
  /** What the preview shows; undefined while there is no thumbnail yet. */
  src: string | undefined;
  width: number;
  height: number;
  contentType: string | undefined;
  isAnimated?: boolean;
  /** The name of a large thumbnail, for formats browsers do not show. */
  transcoded?: string;
};

/** What the HTML depends on besides the text. */
export type HtmlRenderContext = ParseContext & {
  /** What clients show for the topic without a name. */
  emptyTopicName?: string;
  /** Whether links to pictures and videos get a preview below the paragraph. */
  previewImages?: boolean;
  /** An upload that is a picture; undefined when there is none at that path (`/user_uploads/…`). */
  uploadedImage?: (path: string) => UploadedImage | undefined;
  /** Where previews of other sites' pictures are fetched from, so that readers do not show themselves to that site. */
  proxyUrl?: (url: string) => string;
  /** A message in the topic, so that a link to it survives renames. */
  topicAnchor?: (channelId: number, topic: string) => number | undefined;
};
