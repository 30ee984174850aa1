"""Pages of archives as Parquet with Spark: FastWARC reads, Resiliparse extracts, two local workers.

What a job of Common Crawl's kind does: paths are spread over workers, each worker goes over its archives in Python.
"""

import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql.types import ArrayType, IntegerType, StringType, StructField, StructType


def pages(paths):
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    for path in paths:
        with open(path, "rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
                head = record.http_headers
                status = head.status_code if head else None
                mime = (record.http_content_type or "").lower()
                url = record.headers.get("WARC-Target-URI")
                if status != 200 or mime not in ("text/html", "application/xhtml+xml"):
                    yield Row(url=url, status=status, title=None, text=None, links=None)
                    continue
                body = record.reader.read()
                charset = record.http_charset or detect_encoding(body)
                tree = HTMLTree.parse_from_bytes(body, charset)
                links = [a.getattr("href") for a in tree.document.query_selector_all("a[href]")]
                text = extract_plain_text(tree, main_content=True)
                yield Row(url=url, status=status, title=tree.title, text=text, links=links)


def main(paths, out):
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    schema = StructType(
        [
            StructField("url", StringType()),
            StructField("status", IntegerType()),
            StructField("title", StringType()),
            StructField("text", StringType()),
            StructField("links", ArrayType(StringType())),
        ]
    )
    rows = spark.sparkContext.parallelize(paths, len(paths)).mapPartitions(pages)
    spark.createDataFrame(rows, schema).write.mode("overwrite").parquet(out)
    print(spark.read.parquet(out).count())
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[2:], sys.argv[1])
