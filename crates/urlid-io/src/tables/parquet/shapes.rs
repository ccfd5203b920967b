//! The fields of footers and page headers that are read, with the types as which they are read.
//!
//! The `parquet` crate reads these fields as the types given here, whatever type a file declares, and skips
//! all other fields. Bounds on their values are in `footer` and `pages`. Numbers follow `parquet.thrift`.

use super::thrift::Shape::{self, Binary, Bool, Byte, Double, I16, I32, I64, List, Struct};

/// A member of a union without fields.
const NOTHING: Shape = Struct(&[]);

const TIME: Shape = Struct(&[(1, Bool), (2, Struct(&[(1, NOTHING), (2, NOTHING), (3, NOTHING)]))]);

/// The union `LogicalType`.
const LOGICAL_TYPE: Shape = Struct(&[
    (1, NOTHING),
    (2, NOTHING),
    (3, NOTHING),
    (4, NOTHING),
    (5, Struct(&[(1, I32), (2, I32)])),
    (6, NOTHING),
    (7, TIME),
    (8, TIME),
    (10, Struct(&[(1, Byte), (2, Bool)])),
    (11, NOTHING),
    (12, NOTHING),
    (13, NOTHING),
    (14, NOTHING),
    (15, NOTHING),
    (16, Struct(&[(1, Byte)])),
    (17, Struct(&[(1, Binary)])),
    (18, Struct(&[(1, Binary), (2, I32)])),
]);

const SCHEMA_ELEMENT: Shape = Struct(&[
    (1, I32),
    (2, I32),
    (3, I32),
    (4, Binary),
    (5, I32),
    (6, I32),
    (7, I32),
    (8, I32),
    (9, I32),
    (10, LOGICAL_TYPE),
]);

const GEOSPATIAL_STATISTICS: Shape = Struct(&[
    (
        1,
        Struct(&[
            (1, Double),
            (2, Double),
            (3, Double),
            (4, Double),
            (5, Double),
            (6, Double),
            (7, Double),
            (8, Double),
        ]),
    ),
    (2, List(&I32)),
]);

const STATISTICS: Shape =
    Struct(&[(1, Binary), (2, Binary), (3, I64), (4, I64), (5, Binary), (6, Binary), (7, Bool), (8, Bool)]);

const ENCODING_STATISTICS: Shape = Struct(&[(1, I32), (2, I32), (3, I32)]);

const SIZE_STATISTICS: Shape = Struct(&[(1, I64), (2, List(&I64)), (3, List(&I64))]);

const COLUMN_META_DATA: Shape = Struct(&[
    (1, I32),
    (2, List(&I32)),
    (3, List(&Binary)),
    (4, I32),
    (5, I64),
    (6, I64),
    (7, I64),
    (9, I64),
    (10, I64),
    (11, I64),
    (12, STATISTICS),
    (13, List(&ENCODING_STATISTICS)),
    (14, I64),
    (15, I32),
    (16, SIZE_STATISTICS),
    (17, GEOSPATIAL_STATISTICS),
]);

const COLUMN_CHUNK: Shape = Struct(&[
    (1, Binary),
    (2, I64),
    (3, COLUMN_META_DATA),
    (4, I64),
    (5, I32),
    (6, I64),
    (7, I32),
    (8, NOTHING),
]);

const SORTING_COLUMN: Shape = Struct(&[(1, I32), (2, Bool), (3, Bool)]);

const ROW_GROUP: Shape = Struct(&[
    (1, List(&COLUMN_CHUNK)),
    (2, I64),
    (3, I64),
    (4, List(&SORTING_COLUMN)),
    (5, I64),
    (6, I64),
    (7, I16),
]);

/// `FileMetaData`, the footer.
pub(super) const FOOTER: &[(i16, Shape)] = &[
    (1, I32),
    (2, List(&SCHEMA_ELEMENT)),
    (3, I64),
    (4, List(&ROW_GROUP)),
    (5, List(&Struct(&[(1, Binary), (2, Binary)]))),
    (6, Binary),
    (7, List(&Struct(&[(1, NOTHING)]))),
    (8, NOTHING),
];

/// The fields of `PageHeader`: 5 describes a page of data, 7 a dictionary, 8 a page of data of version 2.
pub(super) const PAGE_HEADER: &[(i16, Shape)] = &[
    (1, I32),
    (2, I32),
    (3, I32),
    (4, I32),
    (5, Struct(&[(1, I32), (2, I32), (3, I32), (4, I32), (5, NOTHING)])),
    (6, NOTHING),
    (7, Struct(&[(1, I32), (2, I32), (3, Bool)])),
    (8, Struct(&[(1, I32), (2, I32), (3, I32), (4, I32), (5, I32), (6, I32), (7, Bool), (8, NOTHING)])),
];
