//! Decodes an image, makes it as small as it is shown, and encodes it again. Only pixels survive: no EXIF, no comments.

use std::io::Cursor;

use gateway_platform::files::MediaType;
use image::codecs::jpeg::JpegEncoder;
use image::error::{LimitError, LimitErrorKind};
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

/// Photos of most phones have 12 million by default. The limit keeps a small file from filling the memory.
pub const PIXELS_MAX: u64 = 25_000_000;
const PIXEL_BYTES_MAX: u64 = PIXELS_MAX * 4;
/// The memory that a decoder may allocate besides the pixels, such as for a color profile. A small file can claim to
/// contain a huge profile.
const DECODER_BYTES_MAX: u64 = 16 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResizedImage {
    pub media_type: MediaType,
    pub content: Vec<u8>,
}

/// The format of an image; `None` for other files.
pub const fn format(media_type: MediaType) -> Option<ImageFormat> {
    match media_type {
        MediaType::Jpeg => Some(ImageFormat::Jpeg),
        MediaType::Png => Some(ImageFormat::Png),
        MediaType::Pdf => None,
    }
}

/// The decoder of an image whose header is read. An image whose pixels would take too much memory is a limit error.
pub fn open(content: &[u8], format: ImageFormat) -> Result<impl ImageDecoder, ImageError> {
    let mut reader = ImageReader::with_format(Cursor::new(content), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(DECODER_BYTES_MAX);
    reader.limits(limits);
    let decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS_MAX || decoder.total_bytes() > PIXEL_BYTES_MAX {
        let limit = LimitErrorKind::InsufficientMemory;
        return Err(ImageError::Limits(LimitError::from_kind(limit)));
    }
    Ok(decoder)
}

/// At most `width` pixels wide; a smaller image keeps its size. An image with an alpha channel becomes a PNG, which has
/// no quality, and any other a JPEG.
pub fn draw(
    content: &[u8],
    format: ImageFormat,
    width: u32,
    quality: u8,
) -> Result<ResizedImage, ImageError> {
    let mut decoder = open(content, format)?;
    // The metadata say how the camera was held. They are dropped, so the pixels are turned instead.
    let orientation = decoder.orientation()?;
    let mut image = DynamicImage::from_decoder(decoder)?;
    if image.width().max(image.height()) > width {
        image = image.thumbnail(width_before_turn(&image, width), u32::MAX);
    }
    image.apply_orientation(orientation);
    if image.width() > width {
        image = image.thumbnail(width, u32::MAX);
    }
    let mut drawn = Cursor::new(vec![]);
    let media_type = if image.color().has_alpha() {
        image.write_to(&mut drawn, ImageFormat::Png)?;
        MediaType::Png
    } else {
        let encoder = JpegEncoder::new_with_quality(&mut drawn, quality);
        image.to_rgb8().write_with_encoder(encoder)?;
        MediaType::Jpeg
    };
    Ok(ResizedImage {
        media_type,
        content: drawn.into_inner(),
    })
}

/// The width at which the shorter side keeps `width` pixels, or all if it has fewer. The image may still be turned.
fn width_before_turn(image: &DynamicImage, width: u32) -> u32 {
    let shorter = u64::from(image.width().min(image.height()).max(1));
    let scaled = u64::from(image.width()) * u64::from(width) / shorter;
    u32::try_from(scaled).unwrap_or(u32::MAX).clamp(1, image.width())
}

#[cfg(test)]
mod tests {
    use image::codecs::png::PngEncoder;
    use image::{ExtendedColorType, ImageBuffer, ImageEncoder, Rgb, Rgba};

    use super::*;

    fn size(drawn: &ResizedImage) -> (u32, u32) {
        let image = image::load_from_memory(&drawn.content).expect("an image");
        (image.width(), image.height())
    }

    fn png(width: u32, height: u32) -> Vec<u8> {
        let image = ImageBuffer::from_pixel(width, height, Rgb([200_u8, 30, 30]));
        let mut content = Cursor::new(vec![]);
        image.write_to(&mut content, ImageFormat::Png).expect("a PNG");
        content.into_inner()
    }

    #[test]
    fn an_image_shrinks_to_the_width_and_never_grows() {
        let wide = draw(&png(400, 200), ImageFormat::Png, 100, 75).expect("an image");
        assert_eq!((size(&wide), wide.media_type), ((100, 50), MediaType::Jpeg));
        let high = draw(&png(200, 400), ImageFormat::Png, 100, 75).expect("an image");
        assert_eq!(size(&high), (100, 200));
        let small = draw(&png(40, 20), ImageFormat::Png, 100, 75).expect("an image");
        assert_eq!(size(&small), (40, 20));
    }

    #[test]
    fn transparency_stays() {
        let image = ImageBuffer::from_pixel(10, 10, Rgba([0_u8, 0, 0, 0]));
        let mut content = Cursor::new(vec![]);
        image.write_to(&mut content, ImageFormat::Png).expect("a PNG");
        let drawn = draw(content.get_ref(), ImageFormat::Png, 5, 75).expect("an image");
        assert_eq!((size(&drawn), drawn.media_type), ((5, 5), MediaType::Png));
    }

    #[test]
    fn a_photo_is_turned_as_its_metadata_says_and_loses_them() {
        let mut content = vec![];
        let mut encoder = JpegEncoder::new_with_quality(&mut content, 90);
        // Orientation 6: turned to the right. A little-endian TIFF header and one tag.
        let exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0";
        encoder.set_exif_metadata(exif.to_vec()).expect("metadata");
        let pixels = vec![120_u8; 60 * 30 * 3];
        encoder
            .write_image(&pixels, 60, 30, ExtendedColorType::Rgb8)
            .expect("a JPEG");
        assert!(content.windows(4).any(|bytes| bytes == b"Exif"));
        let drawn = draw(&content, ImageFormat::Jpeg, 100, 75).expect("an image");
        assert_eq!(size(&drawn), (30, 60));
        assert!(!drawn.content.windows(4).any(|bytes| bytes == b"Exif"));
        let small = draw(&content, ImageFormat::Jpeg, 10, 75).expect("an image");
        assert_eq!(size(&small), (10, 20));
    }

    #[test]
    fn an_image_is_refused_before_its_pixels_are_decoded() {
        // 16 bits a channel: twice the bytes of the same pixels with 8 bits.
        let image = ImageBuffer::from_pixel(1, 1, Rgba([0_u16, 0, 0, 0]));
        let mut content = Cursor::new(vec![]);
        image.write_to(&mut content, ImageFormat::Png).expect("a PNG");
        let content = content.into_inner();
        assert!(open(&with_size(content.clone(), 3000, 4000), ImageFormat::Png).is_ok());
        assert!(matches!(
            open(&with_size(content, 5000, 4000), ImageFormat::Png),
            Err(ImageError::Limits(_))
        ));
    }

    /// The PNG with another size in its header, so that the test encodes no millions of pixels.
    fn with_size(mut png: Vec<u8>, width: u32, height: u32) -> Vec<u8> {
        png[16..20].copy_from_slice(&width.to_be_bytes());
        png[20..24].copy_from_slice(&height.to_be_bytes());
        let check = crc_32(&png[12..29]);
        png[29..33].copy_from_slice(&check.to_be_bytes());
        png
    }

    /// The check of a PNG's chunk (PNG specification, annex D).
    fn crc_32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
                (crc >> 1) ^ (0xEDB8_8320 * (crc & 1))
            })
        })
    }

    /// The profile is 32 MB of zeros, which compress to a small file.
    #[test]
    fn a_color_profile_that_inflates_beyond_the_limit_is_left_out() {
        let mut content = Cursor::new(vec![]);
        let mut encoder = PngEncoder::new(&mut content);
        let profile = vec![0; 2 * usize::try_from(DECODER_BYTES_MAX).expect("a size")];
        encoder.set_icc_profile(profile).expect("a profile");
        encoder
            .write_image(&[9; 3], 1, 1, ExtendedColorType::Rgb8)
            .expect("a PNG");
        let content = content.into_inner();
        assert!(content.windows(4).any(|bytes| bytes == b"iCCP") && content.len() < 1_000_000);
        let mut decoder = open(&content, ImageFormat::Png).expect("the header");
        assert_eq!(decoder.icc_profile().expect("no error"), None);
        assert!(
            draw(&content, ImageFormat::Png, 16, 75).is_ok(),
            "the pixels are valid"
        );
    }

    #[test]
    fn a_truncated_image_is_an_error() {
        let mut content = png(400, 200);
        content.truncate(content.len() / 2);
        assert!(draw(&content, ImageFormat::Png, 100, 75).is_err());
    }
}
