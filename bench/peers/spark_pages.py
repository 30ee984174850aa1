"""Pages of an archive as Parquet with Spark: FastWARC reads, Resiliparse extracts, two local workers.

What a job of Common Crawl's kind does: archives are spread over workers, each worker goes over its own in Python.
Arguments: TASK FILE FOLDER. The processor time is that of the whole machine, since Spark's processes are not all waited for:
run it where nothing else runs.
"""

import json
import os
import sys
import time


def machine_seconds():
    """User and system time of all processes since the machine started."""
    with open("/proc/stat") as stat:
        user, nice, system = map(int, stat.readline().split()[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def pages(paths):
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from pyspark.sql import Row
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


def run(path, out):
    from pyspark.sql import SparkSession
    from pyspark.sql.types import ArrayType, IntegerType, StringType, StructField, StructType

    # Workers have the same packages.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    text = [StructField(name, StringType()) for name in ("url", "title", "text")]
    fields = [text[0], StructField("status", IntegerType()), *text[1:], StructField("links", ArrayType(StringType()))]
    rows = spark.sparkContext.parallelize([path], 1).mapPartitions(pages)
    spark.createDataFrame(rows, StructType(fields)).write.mode("overwrite").parquet(out)
    count = spark.read.parquet(out).count()
    spark.stop()
    return count


def main():
    task, path, out = sys.argv[1:]
    began, before = time.monotonic(), machine_seconds()
    records = run(os.path.abspath(path), out)
    print(json.dumps({
        "tool": "pyspark",
        "task": task,
        "file": os.path.basename(path),
        "records": records,
        "bytes": sum(os.path.getsize(os.path.join(out, name)) for name in os.listdir(out)),
        "digest": None,
        "cpu_seconds": machine_seconds() - before,
        "wall_seconds": time.monotonic() - began,
        "peak_rss_kb": 0,
    }))


if __name__ == "__main__":
    main()
