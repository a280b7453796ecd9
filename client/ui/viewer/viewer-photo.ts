/** A photo that the viewer shows in full size. */
export type ViewerPhoto = {
  key: string;
  url: string;
  /** Shown until the photo is loaded. */
  thumbUrl: string | null;
  /** Of the file that a download makes. */
  name: string;
  alt: string;
  /** Below the photo: its name, who sent it, when. */
  caption: string;
  /** In pixels; null where only the image itself knows. */
  width: number | null;
  height: number | null;
};

export type ViewerProps = {
  /** The name of the viewer. */
  label?: string;
  /** All between which one can move. */
  photos: readonly ViewerPhoto[];
  /** The photo that is shown. */
  openKey: string;
  onMove: (key: string) => void;
  onClose: () => void;
  /** Asks for a fresh link, because links expire. */
  onRenew: (key: string) => Promise<void>;
};
